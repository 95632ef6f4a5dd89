#!/bin/sh
echo "inbound: [{action: MAYBE}]" > "$1"
