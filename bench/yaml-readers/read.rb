# Reads the documents of a folder with psych, and prints each value that is not that of the JSON beside it.
require 'date'
require 'json'
require 'yaml'

def differences(expected, actual, &report)
  case expected
  when String then report.call("#{expected.to_json} is #{actual.class} #{actual.inspect}") unless actual == expected
  when Array then expected.each_with_index { |one, index| differences(one, actual[index], &report) }
  else
    return report.call("#{expected.to_json} is #{actual.class} #{actual.inspect}") unless actual.is_a?(Hash)

    expected.each do |key, one|
      actual.key?(key) ? differences(one, actual[key], &report) : report.call("no key #{key.to_json}")
    end
    report.call("#{actual.size} keys instead of #{expected.size}") if actual.size != expected.size
  end
end

Dir["#{ARGV[0]}/*.yaml"].sort.each do |path|
  text = File.read(path, encoding: 'UTF-8')
  value = YAML.safe_load(text, permitted_classes: [Date, Time, Symbol])
  differences(JSON.parse(File.read(path.sub(/yaml$/, 'json'), encoding: 'UTF-8')), value) { |line| puts line }
rescue Psych::SyntaxError => e
  puts "#{e.problem} #{e.context}: #{text.lines[e.line - 1].inspect}"
end
