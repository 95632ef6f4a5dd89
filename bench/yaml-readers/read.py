"""Reads the documents of a folder with PyYAML, and prints each value that is not that of the JSON beside it."""
import glob
import json
import sys

import yaml


def differences(expected, actual):
    if isinstance(expected, str):
        if type(actual) is not str or actual != expected:
            yield f"{json.dumps(expected)} is {type(actual).__name__} {ascii(actual)}"
    elif isinstance(expected, list):
        for one, other in zip(expected, actual, strict=True):
            yield from differences(one, other)
    else:
        for key, one in expected.items():
            if key in actual:
                yield from differences(one, actual[key])
            else:
                yield f"no key {json.dumps(key)}"
        if len(actual) != len(expected):
            yield f"{len(actual)} keys instead of {len(expected)}"


for path in sorted(glob.glob(f"{sys.argv[1]}/*.yaml")):
    with open(path, encoding="utf8", newline="") as document, open(path[:-4] + "json", encoding="utf8") as values:
        text = document.read()
        try:
            for line in differences(json.load(values), yaml.safe_load(text)):
                print(line)
        except yaml.MarkedYAMLError as error:
            print(f"{error.problem}: {ascii(text.splitlines()[error.problem_mark.line])}")
