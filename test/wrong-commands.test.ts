/** Wrong lines, more than a hundred, of people who know another tool, or are tired: each answer ends with a step that works. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { words } from './support/skyctl'
import { needs, parsedOnly, publicKey, test } from './support/suggestions'

/** A wrong line, the hint at its end, and the line that follows a hint without a whole line. */
const rows: readonly (readonly [line: string, hint: string, step?: string])[] = [
  ['volumes list --sort size desc', 'Write --sort -size: skyctl volumes list --sort -size'],
  ['volumes list --sort size:desc', 'Write --sort -size', 'volumes list --sort -size'],
  ['volumes list --sort-by size', 'Did you mean --sort? Try: skyctl volumes list --sort size'],
  [
    'volumes list -l production',
    'Did you mean --filter tags=production? Try: skyctl volumes list --filter tags=production',
  ],
  [
    'firewalls list --selector production',
    'Did you mean --filter tags=production? Try: skyctl firewalls list --filter tags=production',
  ],
  [
    'volumes list --region us-east',
    'Did you mean --filter region=us-east? Try: skyctl volumes list --filter region=us-east',
  ],
  [
    'volumes list --filters Name=tag:env,Values=production',
    'Did you mean --filter tags=production? Try: skyctl volumes list --filter tags=production',
  ],
  [
    'volumes list region=us-east',
    'Did you mean --filter region=us-east? Try: skyctl volumes list --filter region=us-east',
  ],
  ['volumes list --filter region==us-east', 'Write --filter region=us-east', 'volumes list --filter region=us-east'],
  [
    'volumes list --filter region us-east',
    'Write --filter region=us-east: skyctl volumes list --filter region=us-east',
  ],
  ["volumes list --filter size '>' 20", "Write --filter 'size>20': skyctl volumes list --filter 'size>20'"],
  ['volumes list --filter label = data-1', 'Write --filter label=data-1: skyctl volumes list --filter label=data-1'],
  [
    'volumes list --filter label=my vol',
    "Quote the value: --filter 'label=my vol'. Try: skyctl volumes list --filter 'label=my vol'",
  ],
  [
    'volumes list --filter tags=a b',
    "Quote the value: --filter 'tags=a b'. Try: skyctl volumes list --filter 'tags=a b'",
  ],
  [
    'volumes list --filter status=active region=us-east',
    'Try: skyctl volumes list --filter status=active --filter region=us-east',
  ],
  ['volumes list -l 5', 'Did you mean --limit? Try: skyctl volumes list --limit 5'],
  ['tokens list -l 5', 'Did you mean --limit? Try: skyctl tokens list --limit 5'],
  ['tokens list -l deploy', "Did you mean --filter 'label~deploy'? Try: skyctl tokens list --filter 'label~deploy'"],
  [
    'tokens list --selector deploy',
    "Did you mean --filter 'label~deploy'? Try: skyctl tokens list --filter 'label~deploy'",
  ],
  ['ips list -l production', 'Did you mean --filter? See skyctl help filter', 'help filter'],
  [
    'firewalls open web --port 22 80 --from 198.51.100.7 --for 5m',
    'Try: skyctl firewalls open web --port 22,80 --from 198.51.100.7 --for 5m',
  ],
  [
    'firewalls rules add web inbound --label allow ssh --ports 22 --from anywhere --action accept',
    "--protocol is required. Quote the value: --label 'allow ssh'. For example: skyctl firewalls rules add web inbound --label 'allow ssh' --port 22 --from anywhere --action accept --protocol tcp",
  ],
  [
    'firewalls rules add web inbound --protocol tcp --port 22 --from 10.0.0.0/8 192.0.2.1 --action accept',
    'Write --from 10.0.0.0/8,192.0.2.1. Try: skyctl firewalls rules add web inbound --protocol tcp --port 22 --from 10.0.0.0/8,192.0.2.1 --action accept',
  ],
  [
    'firewalls rules add web inbound --protocol tcp --ports 80 443 --from anywhere --action accept',
    'firewall 443 not found. Write --port 80,443. Try: skyctl firewalls rules add web inbound --protocol tcp --ports 80,443',
  ],
  [
    'firewalls rules add web inbound --protocol tcp --port 80 spare --from anywhere',
    '--action is required. For example: skyctl firewalls rules add web inbound spare --protocol tcp --port 80 --from anywhere --action accept',
  ],
  [
    'firewalls rules add --label allow web inbound --protocol tcp --port 80 --from anywhere',
    '--action is required. For example: skyctl firewalls rules add web inbound --label allow --protocol tcp --port 80 --from anywhere --action accept',
  ],
  [
    'firewalls open web --from 198.51.100.7 22 --for 5m',
    'Try: skyctl firewalls open web --from 198.51.100.7 --port 22 --for 5m',
  ],
  [
    'regions list --capability VLANs',
    'Did you mean --filter capabilities=VLANs? Try: skyctl regions list --filter capabilities=VLANs',
  ],
  [
    'volumes create --tag a b --label x --region us-east',
    "Quote the value: --tag 'a b'. For several: --tag a,b. Try: skyctl volumes create --tag a,b --label x --region us-east",
  ],
  [
    'volumes create --label my vol --region us-east',
    "Quote the value: --label 'my vol'. Try: skyctl volumes create --label 'my vol' --region us-east",
  ],
  [
    'firewalls create --label my fw --inbound-policy drop --outbound-policy accept',
    'Write --label my-fw: skyctl firewalls create --label my-fw --inbound-policy drop --outbound-policy accept',
  ],
  [
    'volumes create logs --region us-east',
    'Did you mean --label logs? Try: skyctl volumes create --label logs --region us-east',
  ],
  [
    'volumes create --name logs --region us-east',
    'Did you mean --label? Try: skyctl volumes create --label logs --region us-east',
  ],
  [
    'volumes create --label logs --size 20GiB --region us-east',
    'The unit is GiB: --size 20',
    'volumes create --label logs --size 20 --region us-east',
  ],
  [
    'volumes create --label logs --region useast',
    'Did you mean "us-east"?',
    'volumes create --label logs --region us-east',
  ],
  ['volumes rename data-2 logs', 'Did you mean "skyctl volumes update data-2 --label logs"?'],
  ['volumes add-label data-2 env=prod', 'Did you mean "skyctl volumes update data-2 --add-tag env=prod"?'],
  [
    'volumes attach data-2 web-1',
    'Did you mean --compute-id web-1? Try: skyctl volumes attach data-2 --compute-id web-1',
  ],
  [
    'volumes attach data-2 to web-1',
    'Did you mean --compute-id web-1? Try: skyctl volumes attach data-2 --compute-id web-1',
  ],
  [
    'volumes attach data-2 --server web-1',
    'Did you mean --compute-id? Try: skyctl volumes attach data-2 --compute-id web-1',
  ],
  ['volumes detach --volume data-1 --yes', 'Leave out --volume: skyctl volumes detach data-1 --yes'],
  ['volumes resize data-1 50', '--size is required. Did you mean --size 50?', 'volumes resize data-1 --size 50'],
  [
    'volumes update data-2 --label my vol',
    "Quote the value: --label 'my vol'. Try: skyctl volumes update data-2 --label 'my vol'",
  ],
  [
    'volumes update data-2 --add-tag prod db',
    'volume "db" not found. Quote the value: --add-tag \'prod db\'. For several: --add-tag prod,db. Try: skyctl volumes update data-2 --add-tag prod,db',
  ],
  [
    'volumes resize data-2 --size 40 GB',
    'volume "GB" not found. The unit is GiB: --size 40. Try: skyctl volumes resize data-2 --size 40',
  ],
  [
    'firewalls update spare --label my fire',
    '2 firewalls would get the same label: "my". Write --label my-fire: skyctl firewalls update spare --label my-fire',
  ],
  ['volumes resize data-2 40', 'Did you mean --size 40? Try: skyctl volumes resize data-2 --size 40'],
  ['volumes resize data-2 size=40', 'Did you mean --size 40? Try: skyctl volumes resize data-2 --size 40'],
  ['volumes grow data-2 --size 40', 'Did you mean "skyctl volumes resize data-2 --size 40"?'],
  ['volumes view 4001', 'There is a firewall with this id: skyctl firewalls view 4001'],
  ['volumes view web', 'There is a firewall with this label: skyctl firewalls view web'],
  ['volumes view dta-1', 'Did you mean "data-1"?', 'volumes view data-1'],
  ['volumes show data-1 -o wide', 'For all columns, pass --columns all', 'volumes show data-1 --columns all'],
  ['volumes list -o text', 'For text without borders, pass -o tsv', 'volumes list -o tsv'],
  ['volumes list -o name', 'For ids alone, pass --quiet', 'volumes list --quiet'],
  [
    'volumes list -o columns=ID,name,size',
    'To choose columns, pass --columns id,label,size',
    'volumes list --columns id,label,size',
  ],
  ['volumes list --tag-name db --format ID,Label', 'Try: skyctl volumes list --filter tags=db --format id,label'],
  [
    'firewalls rules update web inbound label:accept-ssh --from 203.0.113.0/24 --diff',
    'Try: skyctl firewalls rules update web inbound label:accept-ssh --from 203.0.113.0/24 --dry-run',
  ],
  ['firewalls list --wide', 'Did you mean --columns all? Try: skyctl firewalls list --columns all'],
  ['volumes tag data-1 --add backup', 'Did you mean "skyctl volumes update data-1 --add-tag backup"?'],
  [
    'firewalls rules update web inbound tcp/22 --from 203.0.113.0/24',
    'Did you mean match:tcp/22?',
    'firewalls rules update web inbound match:tcp/22 --from 203.0.113.0/24 --yes',
  ],
  ['firewalls open list web', 'To list openings: skyctl firewalls openings'],
  ['get volumes -o wide', 'Did you mean "skyctl volumes list --columns all"?'],
  ['api /v4/account --jq .email', 'Try: skyctl api GET /profile --query email'],
  [
    'firewalls rules add web inbound --protocol tcp --port 8080 --cidr 198.51.100.0/24',
    'For example: skyctl firewalls rules add web inbound --protocol tcp --port 8080 --from 198.51.100.0/24 --action accept',
  ],
  [
    'volumes list --tag prod -o columns=ID,name,size',
    'Try: skyctl volumes list --filter tags=prod --columns id,label,size',
  ],
  ['volumes list -o columns=id,name', 'To choose columns, pass --columns id,label', 'volumes list --columns id,label'],
  ['volumes list -o noheader', 'For rows without a header, pass --no-headers', 'volumes list --no-headers'],
  ['volumes list --format json', 'Did you mean --output json?', 'volumes list --output json'],
  ['volumes list --json id,label', 'Name fields with --columns: skyctl volumes list --json --columns id,label'],
  ['volumes list --jq .[].id', "Did you mean --query '[].id'? Try: skyctl volumes list --query '[].id'"],
  [
    'volumes view data-1 --json id,label --jq .id,.label',
    'Pipe JSON to jq: skyctl volumes view data-1 --json | jq .id,.label',
  ],
  ['volumes view data-1 --json id --jq .id', 'Did you mean --query id? Try: skyctl volumes view data-1 --query id'],
  ['volumes list --all-rows', 'Leave out --all-rows: every page is read. Try: skyctl volumes list'],
  ['volumes list -n 5', 'Did you mean --limit? Try: skyctl volumes list --limit 5'],
  ['volumes delete data-2 -f', 'Did you mean --yes? Try: skyctl volumes delete data-2 --yes'],
  ['volumes delete --all', 'To name all of them: skyctl volumes list --quiet | skyctl volumes delete -'],
  ['volumes destroy data-2 --yes', 'Did you mean "skyctl volumes delete data-2 --yes"?'],
  ['volumes detatch data-1 --yes', 'Did you mean "skyctl volumes detach data-1 --yes"?'],
  ['delete volume data-2 --yes', 'Did you mean "skyctl volumes delete data-2 --yes"?'],
  ['get volumes', 'Did you mean "skyctl volumes list"?'],
  ['describe volume data-2', 'Did you mean "skyctl volumes view data-2"?'],
  ['volumes ls data-2', 'Did you mean "skyctl volumes view data-2"?'],
  ['compute volume list', 'Did you mean "skyctl volumes list"?'],
  [
    'compute volume-action attach data-2 --compute-id 1001',
    'Did you mean "skyctl volumes attach data-2 --compute-id 1001"?',
  ],
  ['ec2 describe-volumes', 'Did you mean "skyctl volumes list"?'],
  ['ec2 describe-security-groups', 'Did you mean "skyctl firewalls list"?'],
  ['networking ips-list', 'Did you mean "skyctl ips list"?'],
  ['servers list', 'The API has no operations for compute instances. To see them: skyctl overview'],
  ['floating-ip list', 'Did you mean "skyctl ips list"?'],
  ['ssh-key list', 'Did you mean "skyctl profile sshkeys list"?'],
  ['firewalls rules-list web', 'Did you mean "skyctl firewalls rules list web"?'],
  [
    'firewalls add-rule web inbound --action accept --protocol tcp --port 22 --from 198.51.100.0/24',
    'Did you mean "skyctl firewalls rules add web inbound --action accept --protocol tcp --port 22 --from 198.51.100.0/24"?',
  ],
  [
    'firewalls rules add web inbound --action accept --protocol tcp --port ssh --from 198.51.100.0/24',
    'Write 22',
    'firewalls rules add web inbound --action accept --protocol tcp --port 22 --from 198.51.100.0/24',
  ],
  [
    'firewalls rules add web inbound --action accept --protocol tcp --port 8443 --from any',
    'Did you mean "anywhere"?',
    'firewalls rules add web inbound --action accept --protocol tcp --port 8443 --from anywhere',
  ],
  [
    'firewalls apply-to-resource spare --compute-id 1004 --yes',
    'Did you mean "skyctl firewalls devices add spare --compute-id 1004 --yes"?',
  ],
  [
    'firewalls devices add spare 1004',
    'Did you mean --compute-id 1004? Try: skyctl firewalls devices add spare --compute-id 1004',
  ],
  [
    'firewalls devices add spare --type linode --id 1004',
    'Did you mean --compute-id? Try: skyctl firewalls devices add spare --compute-id 1004',
  ],
  [
    'firewalls open web 22 --from 198.51.100.7 --for 5m',
    'Did you mean --port 22? Try: skyctl firewalls open web --port 22 --from 198.51.100.7 --for 5m',
  ],
  [
    'firewalls open web --port 22 --from 198.51.100.7 --for 1 hour',
    'Write --for 1h: skyctl firewalls open web --port 22 --from 198.51.100.7 --for 1h',
  ],
  [
    'firewalls open web --port 22 --from 198.51.100.7 --for 1hour',
    'Write 1h',
    'firewalls open web --port 22 --from 198.51.100.7 --for 1h',
  ],
  [
    'firewalls test web 22 --from 203.0.113.9',
    'Did you mean --port 22? Try: skyctl firewalls test web --port 22 --from 203.0.113.9',
  ],
  ['ips delete 192.0.2.31', 'The API has no such operation. To move the address: skyctl ips assign'],
  [
    'vlans create backend',
    'The API has no such operation. VLANs begin and end with interfaces of instances. To see them: skyctl vlans list',
  ],
  ['ips assign 192.0.2.31 1002', 'Write ADDRESS=INSTANCE: skyctl ips assign 192.0.2.31=1002'],
  ['ips rdns 192.0.2.31=mail.example.net', 'Write a blank after 192.0.2.31', 'ips rdns 192.0.2.31 mail.example.net'],
  ['ips rdns 192.0.2.31 --ptr mail.example.net', 'Leave out --ptr: skyctl ips rdns 192.0.2.31 mail.example.net'],
  ['ips set-rdns 192.0.2.31 mail.example.net', 'Did you mean "skyctl ips rdns 192.0.2.31 mail.example.net"?'],
  ['ips view web-1', 'For the addresses of an instance: skyctl ips list --compute-id web-1'],
  [
    'ips allocate --compute-id web-1 --public true --yes',
    '--public takes no value: leave out "true". Try: skyctl ips allocate --compute-id web-1 --public --yes',
  ],
  [
    'tokens create ci --scope volumes:read_only',
    'Did you mean --label ci? Try: skyctl tokens create --label ci --scope volumes:read_only',
  ],
  [
    'tokens create --label ci --scope volumes',
    '"volumes" is not a scope: write it as volumes:read_only or volumes:read_write',
    'tokens create --label ci --scope volumes:read_only',
  ],
  ['tokens renew deploy', 'Did you mean "skyctl tokens rotate deploy"?'],
  ['profile tokens list', 'Did you mean "skyctl tokens list"?'],
  [
    'profile token-create --label ci --scope volumes:read_only',
    'Did you mean "skyctl tokens create --label ci --scope volumes:read_only"?',
  ],
  [
    'profile update email me@example.net',
    'Did you mean --email me@example.net? Try: skyctl profile update --email me@example.net',
  ],
  [
    'audit --severity high',
    `To print only these: --query "findings[?severity=='high']" --json. To fail for them: --fail-on high`,
  ],
  ['audit high', 'Did you mean --fail-on high? Try: skyctl audit --fail-on high'],
  ['plan -f FILE', 'Leave out -f: skyctl plan FILE'],
  ['apply FILE -auto-approve', 'Did you mean --yes? Try: skyctl apply FILE --yes'],
  ['plan FOLDER', 'If one refines the other, name them in order: skyctl plan'],
  ['init', 'There is no state to initialize. To sign in: skyctl auth login. To write a file: skyctl export'],
  ['state list', 'Did you mean "skyctl export"?'],
  [
    'api POST /volumes -d {}',
    'Did you mean --body? It reads JSON or YAML from a file, or from stdin with --body -',
    'api POST /volumes --body FOLDER/body.txt',
  ],
  ['api GET /v4/volumes', 'Write /volumes', 'api GET /volumes'],
  ['login', 'Did you mean "skyctl auth login"?'],
  ['auth switch sandbox', 'Did you mean "skyctl context use sandbox"?'],
  ['config get-contexts', 'Did you mean "skyctl context list"?'],
  ['sts get-caller-identity', 'Did you mean "skyctl auth status"?'],
  ['completion -s bash', 'Leave out -s: the shell follows at once. Try: skyctl completion bash'],
  ['export all', 'all kinds are exported', 'export'],
  ['export firewall', 'Did you mean "firewalls"?', 'export firewalls'],
  ['auth refresh', 'To replace a token: skyctl tokens rotate TOKEN'],
  ['logs', 'Did you mean "skyctl history"?'],
  ['volumes wait data-2 --status active', 'Did you mean --for? Try: skyctl volumes wait data-2 --for active'],
  ['export -f account.yaml', 'Write skyctl export > account.yaml'],
  ['export --file account.yaml', 'Write skyctl export > account.yaml'],
  ['export -o account.yaml', 'Redirect the output to a file: > account.yaml', 'export'],
  ['volumes list -l tag=db', 'Did you mean --filter tags=db? Try: skyctl volumes list --filter tags=db'],
  ['volumes list --selector tags=db', 'Did you mean --filter tags=db? Try: skyctl volumes list --filter tags=db'],
  [
    'volumes list -l region=us-east',
    'Did you mean --filter region=us-east? Try: skyctl volumes list --filter region=us-east',
  ],
  ['volumes list -l env=prod', 'Did you mean --filter tags=env=prod? Try: skyctl volumes list --filter tags=env=prod'],
  ['completion install', 'echo "source <(skyctl completion bash)" >> ~/.bashrc'],
  ['completion install zsh', 'Other shells: skyctl completion --help'],
  ['--profile sandbox volumes list', 'Did you mean --context? Try: skyctl --context sandbox volumes list'],
  ['ip unassign 192.0.2.31', 'The API has no such operation. To move the address: skyctl ips assign'],
  ['firewalls test web tcp/22 --from 203.0.113.9', '--port 22'],
  ['volumes resize data-2 100GB', 'Did you mean --size 100? Try: skyctl volumes resize data-2 --size 100'],
  ['firewalls open web tcp/5432 --from 198.51.100.7 --for 5m', 'Did you mean --port 5432 --protocol tcp?'],
  [
    'firewalls rules add web inbound --action accept --protocol tcp --port tcp/5432 --from 198.51.100.7',
    'Write 5432, and tcp as the protocol',
    'firewalls rules add web inbound --action accept --protocol tcp --port 5432 --from 198.51.100.7',
  ],
  ['firewalls open list', 'To list openings: skyctl firewalls openings'],
  ['firewalls close --list', 'To list openings: skyctl firewalls openings'],
  ['status', 'Did you mean "skyctl overview"?'],
  ['get all', 'Did you mean "skyctl overview"?'],
  ['check FILE', 'To see how the account differs from a file: skyctl plan FILE --drift'],
  ['drift FILE', 'To see how the account differs from a file: skyctl plan FILE --drift'],
  ['plan FILE --refresh-only', 'Did you mean --drift? Try: skyctl plan FILE --drift'],
  ['plan FILE --target volumes/data-2', 'Did you mean --only? Try: skyctl plan FILE --only volumes/data-2'],
  ['plan FILE -detailed-exitcode', 'Did you mean --exit-code? Try: skyctl plan FILE --exit-code'],
  ['destroy', 'To delete one kind: skyctl volumes delete'],
  ['fmt', 'To check one: skyctl plan FILE'],
  ['import', 'Did you mean "skyctl export"?'],
  [
    'firewalls allow web 22',
    'For example: skyctl firewalls rules add web inbound --protocol tcp --port 22 --action accept',
  ],
  ['volumes delete --tag db', 'skyctl volumes list --filter tags=db --quiet | skyctl volumes delete - --yes'],
  ['volumes delete --filter tags=db', 'skyctl volumes list --filter tags=db --quiet | skyctl volumes delete - --yes'],
  [
    'volumes delete none-such --yes --ignore-not-found',
    'Did you mean --if-present? Try: skyctl volumes delete none-such --yes --if-present',
  ],
  [
    'volumes create --label data-3 --region us-east --if-not-exists',
    'Did you mean --if-absent? Try: skyctl volumes create --label data-3 --region us-east --if-absent',
  ],
  [
    'volumes list --sort size --order desc',
    'Write a minus before the field: --sort -size. Try: skyctl volumes list --sort -size',
  ],
  [
    'volumes list --sort size --reverse',
    'Write a minus before the field: --sort -size. Try: skyctl volumes list --sort -size',
  ],
  ['ips assign 192.0.2.31 --server 1002', 'Write ADDRESS=INSTANCE: skyctl ips assign 192.0.2.31=1002'],
  ['sshkey list', 'Did you mean "skyctl profile sshkeys list"?'],
  ['network list', 'Did you mean "skyctl vlans list"?'],
  [
    'firewalls rules add web --action accept --protocol tcp --port 8443 --from anywhere',
    '"direction" (inbound or outbound). For example: skyctl firewalls rules add web inbound --action accept --protocol tcp --port 8443 --from anywhere',
  ],
  [
    'volumes list --filter tags=db,size>20',
    "Repeat --filter: --filter tags=db --filter 'size>20'",
    'volumes list --filter tags=db --filter size>20',
  ],
  [
    'volumes list --filter "tags=db and size>20"',
    "Repeat --filter: --filter tags=db --filter 'size>20'",
    'volumes list --filter tags=db --filter size>20',
  ],
  [
    'firewalls close web --port 5432',
    'For one: skyctl firewalls close --mark MARK. The marks: skyctl firewalls openings --columns ports,from,mark',
  ],
  ['firewalls rules view web', 'Did you mean "skyctl firewalls rules list web"?'],
  ['firewalls opened web', 'Did you mean "skyctl firewalls openings"?'],
  [
    'ips create --compute-id 1001 --region us-east',
    'Leave out --region: an address belongs to an instance. Write --compute-id INSTANCE --public. Try: skyctl ips create --compute-id 1001 --public',
  ],
  [
    'ips create --compute-id 1001 --type ipv4',
    'Leave out --type: an address belongs to an instance. Write --compute-id INSTANCE --public. Try: skyctl ips create --compute-id 1001 --public',
  ],
  [
    'apply FILE --no-wait --yes',
    'Leave out --no-wait: it always waits, at most for --wait-timeout 5m. Try: skyctl apply FILE --yes',
  ],
  ['plan FILE --dry-run', 'Leave out --dry-run: skyctl plan changes nothing. Try: skyctl plan FILE'],
  ['volumes list --dry-run', 'Leave out --dry-run: skyctl volumes list changes nothing'],
  ['volume get data-2 --wait', 'Did you mean "skyctl volume wait data-2 --for active"?'],
  ['devices add spare --compute-id 1004', 'Did you mean "skyctl firewalls devices add spare --compute-id 1004"?'],
  ['rules list web', 'Did you mean "skyctl firewalls rules list web"?'],
  ['sandbox serve', 'Did you mean "skyctl sandbox start"?'],
  ['ipv6 ls', '"skyctl ipv6 ranges list"'],
  ['events list', 'To read the events of the account: skyctl api GET /account/events'],
  [
    'api /volumes -q .data[].label',
    "For a query: --query 'data[].label'; -q is --quiet",
    "api /volumes --query 'data[].label'",
  ],
  [
    "volumes list --query '.data[].label'",
    `A list is printed without "data": --query '[].label'`,
    'volumes list --query [].label',
  ],
  [
    'volumes list --filter size=20..60',
    "Write --filter 'size>=20' --filter 'size<=60'",
    "volumes list --filter 'size>=20' --filter 'size<=60'",
  ],
  // The shell has taken ">20" for a file.
  ['volumes list --filter size', "Quote > and <, as in --filter 'size>=40'", "volumes list --filter 'size>20'"],
  ['volumes list --count', "To count them: --query 'length(@)'. Try: skyctl volumes list --query 'length(@)'"],
  ['volumes list -L 5', 'Did you mean --limit? Try: skyctl volumes list --limit 5'],
  ['volumes list --text', 'Did you mean --output tsv? Try: skyctl volumes list --output tsv'],
  ['volumes list --show-labels', 'Its flags are --filter, --limit, --sort, --columns', 'volumes list --columns all'],
  ['volumes list -c sandbox', 'Did you mean --context? Try: skyctl volumes list --context sandbox'],
  ['volumes list --no-color', 'Write --color never, or set NO_COLOR=1. Try: skyctl volumes list --color never'],
  ['volumes list --trace', 'Did you mean --debug? Try: skyctl volumes list --debug'],
  ['volumes list data-1 data-2', 'Did you mean "skyctl volumes view data-1 data-2"?'],
  ['volumes data-1', 'The commands are list, create, view', 'volumes view data-1'],
  [
    'volumes attach data-2 --to web-1',
    'Did you mean --compute-id? Try: skyctl volumes attach data-2 --compute-id web-1',
  ],
  ['volumes update data-2 --size 60', 'Did you mean "skyctl volumes resize data-2 --size 60"?'],
  ['volumes update data-2 --new-label logs', 'Did you mean --label? Try: skyctl volumes update data-2 --label logs'],
  ['label volume data-2 env=prod', 'Did you mean "skyctl volumes update data-2 --add-tag env=prod"?'],
  ['volumes tag add data-2 db', 'Write skyctl volumes update VOLUME --add-tag TAG'],
  ['volumes untag data-2 db', 'To remove a tag: skyctl volumes update data-2 --remove-tag db'],
  ['tags list', 'skyctl volumes list --columns label,tags'],
  ['volumes snapshot create data-2', 'To copy a volume: skyctl volumes clone data-2 --label LABEL'],
  ['volumes create help', 'Write skyctl volumes create --help'],
  ['volumes delete -l tag=db', 'skyctl volumes list --filter tags=db --quiet | skyctl volumes delete - --yes'],
  [
    'volumes delete none --if-exists --yes',
    'Did you mean --if-present? Try: skyctl volumes delete none --if-present --yes',
  ],
  ['volumes delete data-2 --no-prompt', 'Did you mean --yes? Try: skyctl volumes delete data-2 --yes'],
  ['fw ls', 'Did you mean "skyctl firewalls list"?'],
  ['firewalls rules web', 'The commands are list, update', 'firewalls rules list web'],
  [
    'firewalls rules create web inbound --action accept --protocol tcp --port 22 --from 203.0.113.9',
    'Did you mean "skyctl firewalls rules add web inbound --action accept --protocol tcp --port 22 --from 203.0.113.9"?',
  ],
  [
    'firewalls rules add web --inbound --action accept --protocol tcp --port 22 --from 203.0.113.9',
    'Write it without dashes, after the firewall. Try: skyctl firewalls rules add web inbound --action accept --protocol tcp --port 22 --from 203.0.113.9',
  ],
  ['firewalls revoke web', '"skyctl firewalls rules remove"'],
  ['firewalls assign spare 1004', 'Did you mean "skyctl firewalls devices add spare --compute-id 1004"?'],
  ['firewalls detach web web-2', 'Did you mean "skyctl firewalls devices delete web web-2"?'],
  ['firewalls open web --list', 'To list openings: skyctl firewalls openings'],
  [
    'firewalls open web --port 22 --from 198.51.100.7 --ttl 5m',
    'Did you mean --for? Try: skyctl firewalls open web --port 22 --from 198.51.100.7 --for 5m',
  ],
  ['firewalls openings list', 'Leave out "list": it was taken for a label', 'firewalls openings'],
  ['firewalls openings close web', 'Did you mean "skyctl firewalls close web"?'],
  ['firewalls openings close', 'Did you mean "skyctl firewalls close"?'],
  ['volumes view list --json', 'Leave out \\"list\\"', 'volumes list'],
  ['ips rdns set 192.0.2.31 mail.example.net', 'Leave out "set": skyctl ips rdns 192.0.2.31 mail.example.net'],
  ['rdns set 192.0.2.31 mail.example.net', 'Did you mean "skyctl ips rdns 192.0.2.31 mail.example.net"?'],
  ['ips move 192.0.2.31 web-2', 'skyctl ips assign 192.0.2.31=web-2'],
  ['vlans describe backend', 'The list has all about them: skyctl vlans list'],
  ['tokens update deploy --expires 90d', 'skyctl tokens create'],
  ['context active', 'Did you mean "skyctl context view"?'],
  ['audit list', 'Leave out "list": skyctl audit'],
  ['audit --fix', 'Leave out --fix: each problem is printed with the command that fixes it. Try: skyctl audit'],
  ['audit fix', 'Leave out "fix": each problem is printed with the command that fixes it. Try: skyctl audit'],
  [
    'volumes create --name logs --location us-east',
    'Did you mean --label and --region? Try: skyctl volumes create --label logs --region us-east',
  ],
  [
    'volumes list --sort-by size --desc',
    'Did you mean --sort? Write a minus before the field: --sort -size. Try: skyctl volumes list --sort -size',
  ],
  ['profile tfa status', 'Whether it is on: skyctl profile view --columns two_factor_auth'],
  ['sandbox start --delay 3s', 'Try: skyctl sandbox start --latency 3000'],
  ['api /account', "skyctl api --openapi --query 'keys(paths)'"],
  ['balance get', 'The API has no billing. For needless costs: skyctl audit'],
  ['invoices list', 'For needless costs: skyctl audit'],
  ['account get', 'Did you mean "skyctl profile view" or "skyctl auth status"?'],
  ['volumes create-snapshot data-1', 'To copy a volume: skyctl volumes clone data-1 --label LABEL'],
  ['snapshots list', 'The API has no snapshots. To copy a volume: skyctl volumes clone'],
  [
    'firewalls devices delete web 1002 --yes',
    'It is the id of a service: skyctl firewalls devices delete web --compute-id 1002',
  ],
  [
    'firewalls create --label web-2 --inbound-rules protocol:tcp,ports:22,address:203.0.113.0/24',
    'Rules follow later, with skyctl firewalls rules add, or come from a file, with --file. For example: skyctl firewalls create --label web-2 --inbound-policy drop --outbound-policy accept',
  ],
  [
    'volumes create --label logs -s 40 --region us-east',
    'Did you mean --size? Try: skyctl volumes create --label logs --size 40 --region us-east',
  ],
  ['volumes resize data-1 --size +20', '--size 60', 'volumes resize data-1 --size 60'],
  ['history --since 1h', "Did you mean --filter 'time<1h'?"],
  ['redo', 'skyctl history list'],
  ['billing', 'skyctl audit'],
  ['ping', 'Did you mean "skyctl doctor"?'],
  ['firewalls devices add spare --id=1004 --type compute', 'Try: skyctl firewalls devices add spare --compute-id 1004'],
  [
    'firewalls devices add spare --entity-id 1004',
    'Did you mean --compute-id? Try: skyctl firewalls devices add spare --compute-id 1004',
  ],
  ['volumes attach data-2 --id 1001', 'Did you mean --compute-id? Try: skyctl volumes attach data-2 --compute-id 1001'],
  ['ips assign 192.0.2.31 --compute-id 1002', 'Write ADDRESS=INSTANCE: skyctl ips assign 192.0.2.31=1002'],
  ['ips assign --server web-2 192.0.2.31', 'Write ADDRESS=INSTANCE: skyctl ips assign 192.0.2.31=web-2'],
  [
    'firewalls open web --port 22 --from me',
    'Your last login came from 198.51.100.16, 4 days ago. If you are still there, write that',
    'firewalls open web --port 22 --from 198.51.100.16 --for 10m',
  ],
  [
    'firewalls open web --port 22 --from 198.51.100.7',
    'For example: skyctl firewalls open web --port 22 --from 198.51.100.7 --for 30m',
  ],
  [
    'api /volumes --query .data[].label',
    "JMESPath has no leading dot: --query 'data[].label'",
    "api /volumes --query 'data[].label'",
  ],
  [
    'api /volumes --paginate --query .data[].label',
    `A list is printed without "data": --query '[].label'`,
    "api /volumes --paginate --query '[].label'",
  ],
  [
    "volumes list --jq '.[] | select(.size>100) | .label'",
    "Pipe JSON to jq: skyctl volumes list --json | jq '.[] | select(.size>100) | .label'",
  ],
  [
    "volumes list --query '.[] | select(.size>100) | .label'",
    "Pipe JSON to jq: skyctl volumes list --json | jq '.[] | select(.size>100) | .label'",
  ],
  [
    "volumes list --json label,size --jq '.[] | select(.size>100) | .label'",
    "skyctl volumes list --json --columns label,size | jq '.[] | select(.size>100) | .label'",
  ],
  [
    "volumes list --json --columns label,size --query '.[] | select(.size>100) | .label'",
    "skyctl volumes list --columns label,size --json | jq '.[] | select(.size>100) | .label'",
  ],
  ["volumes list --query 'map(.label)'", "In JMESPath, that is --query '[].label'", "volumes list --query '[].label'"],
  ['volumes list --jq length', "skyctl volumes list --query 'length(@)'"],
  [
    'firewall add-rule web --direction in --protocol tcp --port 8443 --source-ips 0.0.0.0/0',
    'skyctl firewalls rules add web inbound --protocol tcp --port 8443 --from 0.0.0.0/0 --action accept',
  ],
  [
    'firewalls rules add web in --protocol tcp --port 8443 --from 0.0.0.0/0',
    '"in" is not a direction; --action is required. For example: skyctl firewalls rules add web inbound --protocol tcp --port 8443 --from 0.0.0.0/0 --action accept',
  ],
  [
    'firewalls rules add web egress --action accept --protocol tcp --port 8443 --to 0.0.0.0/0',
    'Write skyctl firewalls rules add web outbound --action accept --protocol tcp --port 8443 --to 0.0.0.0/0',
  ],
  ['volumes create -f FILE', 'For an account file: skyctl apply FILE'],
  ['volumes create --body FILE', 'To preview and apply it: skyctl plan FILE'],
  ['firewalls create --body FILE', 'To preview and apply it: skyctl plan FILE'],
  ['firewalls rules update web --file FILE', 'To preview and apply it: skyctl plan FILE'],
  ['edit firewall web', 'To edit its rules: skyctl firewalls rules edit web'],
  ['firewalls edit web', 'To edit its rules: skyctl firewalls rules edit web'],
  [
    'explain volumes',
    'Its fields and their meaning: skyctl api --openapi --query components.schemas.Volume.properties -o yaml',
  ],
  [
    'help volumes fields',
    'Its fields and their meaning: skyctl api --openapi --query components.schemas.Volume.properties -o yaml',
  ],
  ['firewalls rules fields', 'components.schemas.FirewallRule.properties'],
  ['explain sshkeys', 'components.schemas.Sshkey.properties'],
  ['auth can-i volumes create', 'To see the scopes of the token: skyctl auth status'],
  ['auth scopes', 'To see the scopes of the token: skyctl auth status'],
  ['rollout undo firewall web', 'To restore earlier rules: skyctl firewalls rules undo FIREWALL'],
  ['firewalls undo web', 'skyctl firewalls rules undo web'],
  ['firewalls rollback web', 'skyctl firewalls rules undo web'],
  [
    'volumes enable-protection data-2 delete',
    'To refuse its deletion: skyctl volumes update data-2 --add-tag protected',
  ],
  ['protect volume data-2', 'To refuse its deletion: skyctl volumes update data-2 --add-tag protected'],
  ['firewalls unprotect web', 'To allow its deletion: skyctl firewalls update web --remove-tag protected'],
  [
    'profile sshkey add FOLDER/id.pub --title laptop',
    'Did you mean --label? Try: skyctl profile sshkey add --file FOLDER/id.pub --label laptop',
  ],
  [
    'ssh-key create --name bob --public-key-from-file FOLDER/id.pub',
    'Did you mean "skyctl profile sshkeys add --label bob --file FOLDER/id.pub"?',
  ],
  ['ip set-rdns 192.0.2.31 --hostname mail.example.net', 'Did you mean "skyctl ips rdns 192.0.2.31 mail.example.net"?'],
  ['list volumes --tags db --sort-by size:desc', 'Did you mean "skyctl volumes list --filter tags=db --sort -size"?'],
  ['ips assign 192.0.2.31 to web-2', 'Write ADDRESS=INSTANCE: skyctl ips assign 192.0.2.31=web-2'],
  ['ips rdns mail.example.net 192.0.2.31', 'Write the address first: skyctl ips rdns 192.0.2.31 mail.example.net'],
  [
    'firewall rule add web tcp 22',
    'For example: skyctl firewalls rules add web inbound --protocol tcp --port 22 --action accept --from 203.0.113.0/24',
  ],
  ['volumes list -a', 'Leave out -a: every page is read. Try: skyctl volumes list'],
  [
    'firewalls open web ssh web-1 --port 22 --from 198.51.100.7',
    'Put the command after --: -- ssh',
    'firewalls open --help',
  ],
  [
    'firewalls add-droplets spare 1004 --yes',
    'Did you mean "skyctl firewalls devices add spare --compute-id 1004 --yes"?',
  ],
  [
    'firewall add-computes spare --compute-ids 1004 --yes',
    'Did you mean "skyctl firewalls devices add spare --compute-id 1004 --yes"?',
  ],
  [
    'firewall remove-computes web --compute-ids 1002 --yes',
    'Did you mean "skyctl firewalls devices delete web --compute-id 1002 --yes"?',
  ],
  [
    'firewall remove-droplets web --droplet-ids 1002 --yes',
    'Did you mean "skyctl firewalls devices delete web --compute-id 1002 --yes"?',
  ],
  [
    'volume create --name X --label k=v --label k2=v2 --location us-east',
    'Did you mean --tag? Try: skyctl volume create --label X --tag k=v --tag k2=v2 --region us-east',
  ],
  [
    'volume create --name X --label=k=v --region us-east',
    'Try: skyctl volume create --label X --tag=k=v --region us-east',
  ],
  ['tfa enable', 'Did you mean "skyctl profile tfa setup"?'],
  ['2fa enable', 'Did you mean "skyctl profile tfa setup"?'],
  [
    'profile tokens create --for "skyctl plan a.yaml" --yes',
    `For example: skyctl tokens create --scopes-for 'skyctl plan a.yaml' --yes --label ci-plan`,
  ],
  [
    'tokens create --label deploy --for "plan a.yaml" --expiry 30d',
    "Try: skyctl tokens create --label deploy --scopes-for 'plan a.yaml' --expiry 30d",
  ],
  [
    'ips assign --address 192.0.2.31 --compute-id 1002',
    '"--compute-id". Write ADDRESS=INSTANCE: skyctl ips assign 192.0.2.31=1002',
  ],
  ['ips assign --server=web-2 --ip=192.0.2.31', '"--ip". Write ADDRESS=INSTANCE: skyctl ips assign 192.0.2.31=web-2'],
  [
    'volumes create --name logs --size-gb 20GiB --location us-east',
    'Did you mean --label, --size 20 and --region? Try: skyctl volumes create --label logs --size 20 --region us-east',
  ],
  [
    'firewalls copy web web-copy',
    'skyctl firewalls rules list web -o yaml | skyctl firewalls create --label web-copy --file -',
  ],
  ['firewalls clone web', 'skyctl firewalls rules list web -o yaml | skyctl firewalls create --label LABEL --file -'],
  [
    'volumes create --label logs --region us-east --size 40 GB',
    'The unit is GiB: --size 40. Try: skyctl volumes create --label logs --region us-east --size 40',
  ],
  ['volumes resize data-2 1TiB', 'Did you mean --size 1024? Try: skyctl volumes resize data-2 --size 1024'],
  ['volumes resize data-2 40 GB', 'Did you mean --size 40? Try: skyctl volumes resize data-2 --size 40'],
  ['volumes resize data-2 --size 0.5TiB', 'The unit is GiB: --size 512', 'volumes resize data-2 --size 512'],
  ['sandbox start --latency 3s', 'The unit is milliseconds: --latency 3000', 'sandbox start --latency 3000 --help'],
  ['sandbox start --latency 3 s', 'The unit is milliseconds: --latency 3000. Try: skyctl sandbox start --latency 3000'],
  ['sandbox start --transition 1.5s', '--transition 1500', 'sandbox start --transition 1500 --help'],
  [
    'firewalls rules diff web inbound accept-ssh --ports 22 --from 203.0.113.0/24',
    'Try: skyctl firewalls rules update web inbound accept-ssh --port 22 --from 203.0.113.0/24 --dry-run',
  ],
  [
    'volumes create logs --size=40GiB --location us-east --wait',
    'Try: skyctl volumes create --label logs --size=40 --region us-east --wait',
  ],
  ['attach data-2 web-1', 'Did you mean "skyctl volumes attach data-2 --compute-id web-1"?'],
  ['rotate deploy --dry-run', 'Did you mean "skyctl tokens rotate deploy --dry-run"?'],
  ['get firewalls,volumes,ips', 'Did you mean "skyctl overview"?'],
  ['explain volumes.size', 'components.schemas.Volume.properties.size -o yaml'],
  ['explain nothing', "Its records: skyctl api --openapi --query 'keys(components.schemas)'"],
  [
    'api GET /volumes -q .data[].id',
    "For a query: --query 'data[].id'; -q is --quiet. Try: skyctl api GET /volumes --query 'data[].id'",
  ],
  [
    'tokens create --scope volumes:read_only',
    'For example: skyctl tokens create --scope volumes:read_only --label ci-plan --expiry 90d',
  ],
  ['volumes mv data-2 logs', 'Did you mean "skyctl volumes update data-2 --label logs"?'],
  ['volumes ls -a', 'Leave out -a: every page is read. Try: skyctl volumes ls'],
  ['firewalls status web', 'Did you mean "skyctl firewalls view web"?'],
  ['rollout history', 'Did you mean "skyctl history list"?'],
  ['logs -f', 'Did you mean "skyctl history"?'],
  ['history undo last', 'To undo the last change: skyctl history undo'],
  ['api volumes', 'Write skyctl api GET /volumes'],
  ["api volumes --query 'data[].label'", "Write skyctl api GET /volumes --query 'data[].label'"],
  ['api volumes --jq .data[].label', "Try: skyctl api GET /volumes --query 'data[].label'"],
  ['api GET /volumes --jq .data[].label', "Try: skyctl api GET /volumes --query 'data[].label'"],
  [
    "volumes list --tag prod --filter 'size>20' --sort size:desc",
    "Try: skyctl volumes list --filter tags=prod --filter 'size>20' --sort -size",
  ],
  ['volumes list --tag prod --sort label,size,desc', 'Try: skyctl volumes list --filter tags=prod --sort label,-size'],
  ["volumes list --tag prod --sort='Size desc'", 'Try: skyctl volumes list --filter tags=prod --sort=-size'],
  ['volumes list --format ID,Label,Size --no-header', 'Try: skyctl volumes list --format id,label,size --no-headers'],
  [
    "volumes list --format 'ID, Name, Region' --no-header",
    'Try: skyctl volumes list --format id,label,region --no-headers',
  ],
  [
    'volumes list --region us-east --filter "Tags=db,size>=20 and label=data-1"',
    "Try: skyctl volumes list --filter region=us-east --filter tags=db --filter 'size>=20' --filter label=data-1",
  ],
  [
    'volumes list --region us-east --filter=size=20..60',
    "Try: skyctl volumes list --filter region=us-east '--filter=size>=20' '--filter=size<=60'",
  ],
  ['ips assign 192.0.2.31', 'Write ADDRESS=INSTANCE: 192.0.2.31=1002', 'ips assign 192.0.2.31=1002 --yes'],
  ['floating-ip assign 192.0.2.31 web-2', 'Did you mean "skyctl ips assign 192.0.2.31=web-2"?'],
  [
    'firewalls open web ssh --from 198.51.100.7 --for 5m',
    'Try: skyctl firewalls open web --port 22 --from 198.51.100.7 --for 5m',
  ],
  ['help cron nightly', 'To search: skyctl help find cron nightly'],
  ['volumes list --max-memory 512', 'Write 512MiB or 512GiB', 'volumes list --max-memory 512MiB'],
  ['volumes list --timeout 1.5h', 'Write 90m', 'volumes list --timeout 90m'],
  [
    'ipv6 ranges create --compute-id 1001 --prefix-length /64',
    'Write --prefix-length 64',
    'ipv6 ranges create --compute-id 1001 --prefix-length 64 --dry-run',
  ],
  [
    'tokens create --label ci --scopes read_only',
    'write it as volumes:read_only or volumes:read_write. For all that skyctl reads: skyctl tokens create --label ci --scopes-for audit,overview --expiry 90d',
  ],
  [
    'tokens create --scopes readonly',
    'For all that skyctl reads: skyctl tokens create --label ci --scopes-for audit,overview --expiry 90d',
  ],
  [
    'volumes list --filter "tag:db size>20"',
    "Repeat --filter: --filter tags=db --filter 'size>20'",
    "volumes list --filter tags=db --filter 'size>20'",
  ],
  [
    'volumes list --location us-east --filter "tag:db size>20"',
    "Try: skyctl volumes list --filter region=us-east --filter tags=db --filter 'size>20'",
  ],
  [
    'firewalls close --port 5432',
    'For one: skyctl firewalls close --mark MARK. The marks: skyctl firewalls openings --columns ports,from,mark',
  ],
  [
    'firewalls close web tcp/5432',
    '"tcp/5432" is a port, not a firewall. To close one opening: skyctl firewalls close web --mark MARK. The marks: skyctl firewalls openings --columns ports,from,mark',
  ],
  [
    'firewalls view web --json label,status',
    'Name fields with --columns: skyctl firewalls view web --json --columns label,status',
  ],
  ['elastic-ip ips', 'Did you mean "skyctl ips"?'],
  ['firewalls rules delete web 3 --yes', 'For example: skyctl firewalls rules remove web inbound 3'],
  ['firewalls rules remove web in 3 --yes', 'Write skyctl firewalls rules remove web inbound 3'],
  ['firewalls rules rm-rule web inbound 3 -y', 'Did you mean "skyctl firewalls rules remove web inbound 3"?'],
  [
    'firewalls open web --port 22 80',
    'Write --port 22,80. For example: skyctl firewalls open web --port 22,80 --from YOUR-ADDRESS --for 30m',
  ],
  [
    'firewalls allow web inbound 22',
    'Did you mean "skyctl firewalls rules add"? For example: skyctl firewalls rules add web inbound --protocol tcp --port 22 --action accept --from 203.0.113.0/24',
  ],
  [
    'firewalls rules add web --action accept --protocol tcp --port 443 --to anywhere',
    'For example: skyctl firewalls rules add web outbound --action accept --protocol tcp --port 443 --to anywhere',
  ],
  ['firewalls attach spare', 'Did you mean "skyctl firewalls devices add"?'],
  [
    'tokens create --label ci --scope volumes:read_only --expiry 3months',
    'must be a time such as 90d',
    'tokens create --label ci --scope volumes:read_only --expiry 90d',
  ],
  [
    'firewalls rules update web 2 --source 198.51.101.0/24',
    'Did you mean --from? Try: skyctl firewalls rules update web inbound 2 --from 198.51.101.0/24',
  ],
  [
    'firewalls rules update web 2 --from 198.51.101.0/24',
    'Write skyctl firewalls rules update web inbound 2 --from 198.51.101.0/24',
  ],
  [
    'firewalls rules update web in 2 --source 198.51.101.0/24',
    'Try: skyctl firewalls rules update web inbound 2 --from 198.51.101.0/24',
  ],
  [
    'firewalls rules update web tcp/22 --source 198.51.101.0/24',
    'Try: skyctl firewalls rules update web inbound match:tcp/22 --from 198.51.101.0/24',
  ],
  [
    'tokens create --label ci --scopes read_only --expires 90d',
    'Did you mean --expiry? Try: skyctl tokens create --label ci --scopes-for audit,overview --expiry 90d',
  ],
  [
    'tokens create ci --read-only --expires 90d',
    'Did you mean --scopes-for audit,overview and --expiry? Try: skyctl tokens create --label ci --scopes-for audit,overview --expiry 90d',
  ],
  [
    'tokens create --label ci --scope *:read_only --expiry 30d',
    'For all that skyctl reads: skyctl tokens create --label ci --scopes-for audit,overview --expiry 30d',
  ],
  [
    'tokens create --label ci --scope read',
    'For all that skyctl reads: skyctl tokens create --label ci --scopes-for audit,overview --expiry 90d',
  ],
  [
    'tokens create --label ci --scope *:read_only --output-file FOLDER/ci.token',
    'For all that skyctl reads: skyctl tokens create --label ci --scopes-for audit,overview --expiry 90d --output-file FOLDER/ci.token',
  ],
  [
    'volumes update --filter tags=production --all --remove-tag production',
    'Try: skyctl volumes list --filter tags=production --quiet | skyctl volumes update - --remove-tag production',
  ],
  [
    'volumes update --all --filter tags=production --remove-tag production',
    'Try: skyctl volumes list --filter tags=production --quiet | skyctl volumes update - --remove-tag production',
  ],
  [
    'firewalls test web --port 22',
    '--from is required with inbound traffic. Who has access to each port: skyctl firewalls view web',
  ],
  ['volumes tag data-1 data-2 db', 'Write skyctl volumes update VOLUME --add-tag TAG'],
  ['firewalls tags add prod web', 'Write skyctl firewalls update FIREWALL --add-tag TAG'],
  ['volumes tag env=prod data-2', 'Did you mean "skyctl volumes update data-2 --add-tag env=prod"?'],
  ['history --filter time>yesterday', 'Write time>=2026-01-14', 'history --filter time>=2026-01-14'],
  ['tokens list --filter expiry<tomorrow', 'Write expiry<2026-01-16', 'tokens list --filter expiry<2026-01-16'],
  [
    'volumes list --filter created>recently',
    'Write created>2026-01-31 or created<7d',
    'volumes list --filter created<7d',
  ],
  ['history --since yesterday', "Did you mean --filter 'time<2d'? It keeps what is younger"],
  ['volumes list --since 7d', "Did you mean --filter 'created<7d'?"],
  ['profile logins list --after yesterday', "Did you mean --filter 'datetime<2d'?"],
  ['volumes tags prod data-1 -o table', 'Write skyctl volumes update VOLUME --add-tag TAG'],
  [
    'firewalls open web --port 22 --from 198.51.100.7 1h30m',
    'Did you mean --for 1h30m? Try: skyctl firewalls open web --port 22 --from 198.51.100.7 --for 1h30m',
  ],
  ['history --since today', "Did you mean --filter 'time<1d'?"],
  ['history --after 2026-01-01', "Did you mean --filter 'time>=2026-01-01'?"],
  ['history --until 1d', "Did you mean --filter 'time>1d'? It keeps what is older"],
  ['history --before 2026-01-01', "Did you mean --filter 'time<2026-01-01'?"],
  [
    'firewalls test web --port 22 --from any',
    '"any" is none. Write one, such as --from 198.51.100.7. Who has access to each port: skyctl firewalls view web',
  ],
  [
    'firewalls test web --port 22 --from anywhere',
    '"anywhere" is 0.0.0.0/0, ::/0. Write one, such as --from 198.51.100.7',
  ],
  [
    'volumes update --all --tags db',
    'To name all of them: skyctl volumes list --quiet | skyctl volumes update - --add-tag db',
  ],
  [
    'volumes update --filter size>100 --tag db',
    "Choose with a list: skyctl volumes list --filter 'size>100' --quiet | skyctl volumes update - --add-tag db",
  ],
  [
    'firewalls open web --port 22 10m',
    'Did you mean --for 10m? For example: skyctl firewalls open web --port 22 --for 10m --from YOUR-ADDRESS',
  ],
  [
    'firewalls open web ssh 10m',
    'Did you mean --port 22? For example: skyctl firewalls open web --port 22 --for 10m --from YOUR-ADDRESS',
  ],
  [
    'firewalls open web --port 22 --from 198.51.100.7 10m',
    'Did you mean --for 10m? Try: skyctl firewalls open web --port 22 --from 198.51.100.7 --for 10m',
  ],
  ['undo account.yaml', 'To undo the last change or apply: skyctl history undo'],
  ['apply undo', 'To undo the last change or apply: skyctl history undo'],
  ['apply --undo', 'To undo the last apply: skyctl history undo'],
  ['account export account.yaml', 'Write skyctl export > account.yaml'],
  ['report', 'For a page of the account: skyctl overview -o html > account.html. For problems: skyctl audit'],
  [
    'firewalls rules add web --inbound protocol:tcp,ports:5432,address:198.51.100.0/24',
    'Its parts are flags: skyctl firewalls rules add web inbound --action accept --protocol tcp --port 5432 --from 198.51.100.0/24',
  ],
  [
    'firewall add-rules web --outbound-rules protocol:icmp,address:198.51.100.0/24,address:2001:db8::/32',
    'Did you mean "skyctl firewalls rules add web outbound --action accept --protocol icmp --to 198.51.100.0/24,2001:db8::/32"?',
  ],
  [
    'firewall remove-rules web --inbound-rules protocol:tcp,ports:22,address:203.0.113.0/24',
    'Did you mean "skyctl firewalls rules remove web inbound match:tcp/22"?',
  ],
  ['audit -o html', 'For a page of the account: skyctl overview -o html > account.html'],
  ['audit --html', 'For a page of the account: skyctl overview -o html > account.html'],
  ['overview --html', 'Did you mean --output html? Try: skyctl overview --output html'],
  ['overview -f account.html', 'Write skyctl overview -o html > account.html'],
  [
    'firewalls who web 22',
    'Who has access to each port: skyctl firewalls view web. Whether an address can connect: skyctl firewalls test web --protocol tcp --port 22 --from 198.51.100.7',
  ],
  ['firewalls web who 22', 'Who has access to each port: skyctl firewalls view web'],
  ['firewalls check web --port 22', 'Who has access to each port: skyctl firewalls view FIREWALL'],
  ['firewalls rules list web --port 22', 'Who has access to each port: skyctl firewalls view web'],
  [
    'firewalls rules remove web --port 22',
    'Name the rule by its port: skyctl firewalls rules remove web inbound match:tcp/22',
  ],
  [
    'firewalls test web 203.0.113.9 22',
    'Did you mean --from 203.0.113.9 --port 22? Try: skyctl firewalls test web --from 203.0.113.9 --port 22',
  ],
  ['volumes list --unattached', 'Did you mean --filter compute_id=none?'],
  ['volumes list --attached', "Did you mean --filter 'compute_id!=none'?"],
  ['volumes list --filter attached=false', 'Write --filter compute_id=none', 'volumes list --filter compute_id=none'],
  ['volumes list --filter attached', "Write --filter 'compute_id!=none'", "volumes list --filter 'compute_id!=none'"],
  [
    'volumes list --location us-east --filter compute_id=null',
    'Try: skyctl volumes list --filter region=us-east --filter compute_id=none',
  ],
  [
    'volumes list --filter compute_id=none --exit-code',
    'To fail if the list has any: ids=$(skyctl volumes list --filter compute_id=none --quiet) && test -z "$ids"',
  ],
  ['volumes list --expect 0', 'To fail if the list has any: ids=$(skyctl volumes list --quiet) && test -z "$ids"'],
  [
    'auth login http://127.0.0.1:8080/v4',
    'Did you mean --base-url http://127.0.0.1:8080/v4? Try: skyctl auth login --base-url http://127.0.0.1:8080/v4',
  ],
  ['volumes get data-1 -o id', 'For ids alone, pass --quiet', 'volumes get data-1 --quiet'],
  ['volumes get data-1 -o label', 'To choose columns, pass --columns label', 'volumes get data-1 --columns label'],
  ['mv data-2 logs', 'To rename a volume: skyctl volumes update data-2 --label logs'],
  ['rm data-2', 'To delete a volume: skyctl volumes delete data-2'],
  [
    'volumes update data-2 --delete-protection',
    'To refuse its deletion, tag it. Try: skyctl volumes update data-2 --add-tag protected',
  ],
  ['volumes create --label logs --region us-east --protected', '--region us-east --tag protected'],
]

/** Reports whether the step has what the hint proposes: one of the commands or flags that it names. */
function isFollowed(hint: string, step: string): boolean {
  if (/leave out/i.test(hint) || hint.includes(`skyctl ${step.replace(/ --help$/, '')}`)) return true
  const proposals = hint.match(/--[a-z-]+|(?<=skyctl )[a-z](?:[a-z0-9 =-]|\.(?=\d))*/g) ?? []
  const inStep = words(step)
  return (
    proposals.length === 0 ||
    proposals.some((one) =>
      one
        .trim()
        .split(' ')
        .every((word) => inStep.includes(word)),
    )
  )
}

test('each exception is about a line of the table', () => {
  const forms = [...needs.map(([form]) => form), ...parsedOnly.map((line) => new RegExp(`${line}(?= |"|\\.|$)`))]
  expect(forms.filter((form) => !rows.some(([, hint]) => form.test(hint)))).toEqual([])
})

test('the table has at least 100 lines, each once', () => {
  expect(rows.length).toBeGreaterThanOrEqual(100)
  expect(new Set(rows.map(([line]) => line)).size).toBe(rows.length)
})

test.for(rows)('"%s" ends with a step that works: %s', async ([line, hint, step], { skyctl, home, follow }) => {
  const folder = join(home, 'files')
  for (const [name, size] of [
    ['base', 40],
    ['staging', 60],
  ] as const) {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'account.yaml'), `volumes: { data-2: { size: ${size} } }`)
  }
  writeFileSync(join(folder, 'body.txt'), '{ "label": "logs", "region": "us-east" }')
  writeFileSync(join(folder, 'id.pub'), publicKey)
  writeFileSync(join(folder, 'owned.yaml'), 'owner: team')
  const file = join(folder, 'base', 'account.yaml')
  const filled = (text: string) => text.replace('FILE', file).replaceAll('FOLDER', folder)
  const { exit, stderr } = await skyctl(filled(line))
  expect(stderr.replaceAll(file, 'FILE').replaceAll(folder, 'FOLDER')).toContain(hint)
  // Lines with several targets end with 9, and those with a missing file with 12.
  expect([2, 5, 9, 12]).toContain(exit)
  const followed = await follow(stderr, { FILE: join(folder, 'owned.yaml') })
  if (step === undefined) return expect(followed).not.toEqual([])
  expect(isFollowed(hint, step)).toBe(true)
  const next = await skyctl(filled(step))
  expect({ exit: next.exit, stderr: next.stderr }).toMatchObject({ exit: 0 })
})
