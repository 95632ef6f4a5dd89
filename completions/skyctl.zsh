#compdef skyctl
# zsh completion for skyctl, made from its commands.
#   source <(skyctl completion zsh)
# How the scripts of all shells work: src/generate/shells/README.md in the sources of skyctl.
#
# For zsh 5. Names are given to its own completion as they are, and it quotes them. Functions set the variables of _skyctl,
# which calls them.

# Sets verbs (its commands), flags, arguments and fields to those of a place.
__skyctl_place() {
  verbs=() flags=() arguments=() fields=()
  case $1 in
  '')
    verbs=(
      'volumes,volume Block storage volumes'
      'regions,region Regions, their capabilities and available plans'
      'firewalls,firewall Firewalls, their rules and protected services'
      'ips,ip Addresses: allocate, assign, share, reverse DNS'
      'ipv6 IPv6 pools and ranges'
      'vlans,vlan Virtual local area networks'
      'profile Your profile, SSH keys and sign-in security'
      'tokens,token Personal access tokens'
      'export Export the account as a file for apply'
      'plan Preview the changes that would match the files'
      'apply Apply the files to the account'
      'overview Show the account on one screen or diagram'
      'audit Check the account for security and cost problems'
      'doctor Diagnose problems with skyctl on this machine'
      'history Show and undo changes made from this machine'
      'auth Sign-in, sign-out and current user'
      'context,contexts Contexts: stored accounts and their defaults'
      'api Send any request to the service'
      'sandbox Embedded sandbox of the service, for tests'
      'completion Completion for bash, zsh, fish and PowerShell'
      'version Show the version, or find a newer one'
      'help Show help, or find a command'
    )
    flags=(
      '--version,-V Show the version'
    )
    ;;
  'volumes')
    verbs=(
      'list,ls List the volumes you may view'
      'create,add Create a volume; billing starts'
      'view,get,show,describe Show a volume'
      'update,set Change the label or tags of a volume'
      'delete,rm,remove Delete a volume with its data; billing stops'
      'attach Attach a volume to a compute instance'
      'detach Detach a volume from its compute instance'
      'resize Grow a volume; it can never shrink'
      'clone Copy a volume with its data; billing starts'
      'wait Wait until volumes reach a state'
    )
    ;;
  'volumes list')
    flags=(
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--page= Read this page only'
      '--page-size= Results per request; the API documents 25 to 500'
      '--concurrency= Number of pages to read at once (default 8)'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes create')
    flags=(
      '--label= Label of the volume (required)'
      '--size= Size in GiB (default: 20)'
      '--region=@regions Region ID; required without a compute instance'
      '--compute-id=@computes Compute instance to attach the volume to'
      '--config-id= Configuration of that compute instance to attach it in'
      '--tag,--tags*= Tags to organize by (repeatable, or a,b)'
      '--if-absent Use the existing one with this label if it matches'
      '--allow-duplicate Allow a label that is already in use'
      '--body=@files JSON, YAML or NDJSON body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--wait Wait until active'
      '--wait-timeout= Maximum time to wait, for all targets together (default 5m)'
      '--concurrency= Number of targets to process at once (default 8)'
      '--journal=@files Record progress in a new file, so that --resume can continue'
      '--resume=@files Continue from that file; nothing is done twice'
      '--resend-unknown With --resume: resend requests of unknown outcome if nothing new has their label'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes view')
    flags=(
      '--concurrency= Number of targets to process at once (default 8)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@volumes*')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes update')
    flags=(
      '--label= Label of the volume'
      '--tag,--tags*= Tags to organize by (repeatable, or a,b)'
      '--no-tags Empty the list of tags'
      '--add-tag*= Add a tag to the current ones (repeatable, or a,b)'
      '--remove-tag*= Remove a tag from the current ones (repeatable, or a,b)'
      '--allow-duplicate Allow a label that is already in use'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@volumes')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes delete')
    flags=(
      '--if-present Succeed if the resource does not exist'
      '--force Go on even if it has the tag "protected"'
      '--concurrency= Number of targets to process at once (default 8)'
      '--journal=@files Record progress in a new file, so that --resume can continue'
      '--resume=@files Continue from that file; nothing is done twice'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@volumes*')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes attach')
    flags=(
      '--compute-id=@computes Compute instance to attach the volume to (required)'
      '--config-id= Configuration of that compute instance to attach it in'
      '--persist-across-boots Attach the volume at every boot'
      '--no-persist-across-boots Attach the volume at every boot'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--wait Wait until attached'
      '--wait-timeout= Maximum time to wait, for all targets together (default 5m)'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@volumes')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes detach')
    flags=(
      '--if-present Succeed if the resource does not exist'
      '--force Go on even if it has the tag "protected"'
      '--wait Wait until detached'
      '--wait-timeout= Maximum time to wait, for all targets together (default 5m)'
      '--concurrency= Number of targets to process at once (default 8)'
      '--journal=@files Record progress in a new file, so that --resume can continue'
      '--resume=@files Continue from that file; nothing is done twice'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@volumes*')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes resize')
    flags=(
      '--size= New size in GiB, larger than the current one (required)'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--wait Wait until active'
      '--wait-timeout= Maximum time to wait, for all targets together (default 5m)'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@volumes')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes clone')
    flags=(
      '--label= Label of the volume (required)'
      '--allow-duplicate Allow a label that is already in use'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--wait Wait until active'
      '--wait-timeout= Maximum time to wait, for all targets together (default 5m)'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@volumes')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes wait')
    flags=(
      '--for=active|attached|detached|deleted active, attached, detached, deleted (default active)'
      '--wait-timeout= Maximum time to wait, for all targets together (default 5m)'
      '--concurrency= Number of targets to process at once (default 8)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@volumes*')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'regions')
    verbs=(
      'list,ls List the regions'
      'view,get,show,describe Show a region'
      'availability List the availability of premium and GPU plans'
    )
    ;;
  'regions list')
    flags=(
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--page= Read this page only'
      '--page-size= Results per request; the API documents 25 to 500'
      '--concurrency= Number of pages to read at once (default 8)'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('id' 'label' 'country' 'capabilities=none' 'status=ok|outage' 'resolvers.ipv4' 'resolvers.ipv6')
    ;;
  'regions view')
    flags=(
      '--concurrency= Number of targets to process at once (default 8)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@regions*')
    fields=('id' 'label' 'country' 'capabilities=none' 'status=ok|outage' 'resolvers.ipv4' 'resolvers.ipv6')
    ;;
  'regions availability')
    flags=(
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--page= Read this page only'
      '--page-size= Results per request; the API documents 25 to 500'
      '--concurrency= Number of pages to read at once (default 8)'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@regions')
    fields=('region=@regions' 'plan' 'available=true|false')
    ;;
  'firewalls')
    verbs=(
      'list,ls List the firewalls'
      'create,add Create a firewall; it is enabled at once'
      'view,get,show,describe Show a firewall with its rules'
      'update,set Change label, status or tags of a firewall'
      'enable Enable firewalls'
      'disable Disable firewalls; they keep rules and devices'
      'delete,rm,remove Delete a firewall; its services lose their protection'
      'open Allow an address temporarily or during a command'
      'close Close temporary openings early'
      'sweep Close expired temporary openings'
      'test Simulate a packet and show the deciding rule'
      'devices,device Services assigned to a firewall'
      'rules,rule Rules and policies of a firewall'
    )
    ;;
  'firewalls list')
    flags=(
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--page= Read this page only'
      '--page-size= Results per request; the API documents 25 to 500'
      '--concurrency= Number of pages to read at once (default 8)'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('id' 'label' 'status=enabled|disabled|deleted' 'rules.inbound=none' 'rules.inbound_policy=ACCEPT|DROP' 'rules.outbound=none' 'rules.outbound_policy=ACCEPT|DROP' 'tags=none' 'created' 'updated')
    ;;
  'firewalls create')
    flags=(
      '--label= Label of the firewall, unique; 3 to 32 letters, digits and - _ . between them (required)'
      '--tag,--tags*= Tags to organize by (repeatable, or a,b)'
      '--file=@files JSON or YAML file of the rules, - is stdin'
      '--inbound-policy=accept|drop If no inbound rule matches: accept or drop (required, here or in the file)'
      '--outbound-policy=accept|drop If no outbound rule matches: accept or drop (required, here or in the file)'
      '--compute-id*=,@computes Compute instances to protect (repeatable, or a,b)'
      '--balancer-id=@balancers The one balancer to protect'
      '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)'
      '--allow-lockout Allow changes that block traffic of --keep-open'
      '--if-absent Use the existing one with this label if it matches'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('id' 'label' 'status=enabled|disabled|deleted' 'rules.inbound=none' 'rules.inbound_policy=ACCEPT|DROP' 'rules.outbound=none' 'rules.outbound_policy=ACCEPT|DROP' 'tags=none' 'created' 'updated')
    ;;
  'firewalls view')
    flags=(
      '--concurrency= Number of targets to process at once (default 8)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls*')
    fields=('id' 'label' 'status=enabled|disabled|deleted' 'rules.inbound=none' 'rules.inbound_policy=ACCEPT|DROP' 'rules.outbound=none' 'rules.outbound_policy=ACCEPT|DROP' 'tags=none' 'created' 'updated')
    ;;
  'firewalls update')
    flags=(
      '--label= Label of the firewall, unique; 3 to 32 letters, digits and - _ . between them'
      '--status=enabled|disabled New status: enabled, disabled'
      '--tag,--tags*= Tags to organize by (repeatable, or a,b)'
      '--no-tags Empty the list of tags'
      '--add-tag*= Add a tag to the current ones (repeatable, or a,b)'
      '--remove-tag*= Remove a tag from the current ones (repeatable, or a,b)'
      '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)'
      '--allow-lockout Allow changes that block traffic of --keep-open'
      '--force Go on even if it has the tag "protected"'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls')
    fields=('id' 'label' 'status=enabled|disabled|deleted' 'rules.inbound=none' 'rules.inbound_policy=ACCEPT|DROP' 'rules.outbound=none' 'rules.outbound_policy=ACCEPT|DROP' 'tags=none' 'created' 'updated')
    ;;
  'firewalls enable')
    flags=(
      '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)'
      '--allow-lockout Allow changes that block traffic of --keep-open'
      '--concurrency= Number of targets to process at once (default 8)'
      '--journal=@files Record progress in a new file, so that --resume can continue'
      '--resume=@files Continue from that file; nothing is done twice'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls*')
    fields=('id' 'label' 'status=enabled|disabled|deleted' 'rules.inbound=none' 'rules.inbound_policy=ACCEPT|DROP' 'rules.outbound=none' 'rules.outbound_policy=ACCEPT|DROP' 'tags=none' 'created' 'updated')
    ;;
  'firewalls disable')
    flags=(
      '--force Go on even if it has the tag "protected"'
      '--concurrency= Number of targets to process at once (default 8)'
      '--journal=@files Record progress in a new file, so that --resume can continue'
      '--resume=@files Continue from that file; nothing is done twice'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls*')
    fields=('id' 'label' 'status=enabled|disabled|deleted' 'rules.inbound=none' 'rules.inbound_policy=ACCEPT|DROP' 'rules.outbound=none' 'rules.outbound_policy=ACCEPT|DROP' 'tags=none' 'created' 'updated')
    ;;
  'firewalls delete')
    flags=(
      '--if-present Succeed if the resource does not exist'
      '--force Go on even if it has the tag "protected"'
      '--concurrency= Number of targets to process at once (default 8)'
      '--journal=@files Record progress in a new file, so that --resume can continue'
      '--resume=@files Continue from that file; nothing is done twice'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls*')
    fields=('id' 'label' 'status=enabled|disabled|deleted' 'rules.inbound=none' 'rules.inbound_policy=ACCEPT|DROP' 'rules.outbound=none' 'rules.outbound_policy=ACCEPT|DROP' 'tags=none' 'created' 'updated')
    ;;
  'firewalls open')
    flags=(
      '--port= Ports to open, such as 22 or 80,443'
      '--protocol=tcp|udp|icmp|ipencap tcp, udp, icmp or ipencap (default tcp)'
      '--from*= Addresses, networks or their names, or anywhere (repeatable, or a,b) (required)'
      '--for= Duration, such as 30m (default with a command: 24h)'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls' '*')
    ;;
  'firewalls close')
    flags=(
      '--from*= Close only openings from these addresses, networks or their names (repeatable, or a,b)'
      '--mark*= Close only the openings with these marks (repeatable, or a,b)'
      '--concurrency= Number of targets to process at once (default 8)'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls*')
    ;;
  'firewalls sweep')
    flags=(
      '--concurrency= Number of targets to process at once (default 8)'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls*')
    ;;
  'firewalls test')
    flags=(
      '--file=@files Test the rules of this file, - is stdin, without asking the service'
      '--cases=@files Test all cases of a JSON or YAML file, - is stdin'
      '--direction=inbound|outbound inbound, or outbound (default with --to)'
      '--protocol=tcp|udp|icmp|ipencap tcp, udp, icmp or ipencap (default with --port: tcp)'
      '--port= Destination port, with tcp and udp'
      '--from= Source address of an inbound packet'
      '--to= Destination address of an outbound packet'
      '--service=compute|balancer compute, or balancer: there only inbound TCP is filtered (default: those that it protects)'
      '--expect=ACCEPT|DROP Exit with 13 if the verdict is another'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls')
    ;;
  'firewalls devices')
    verbs=(
      'list,ls List the services of a firewall'
      'add,create Assign a firewall to an instance or balancer'
      'view,get,show,describe Show a service of a firewall'
      'delete,rm,remove Remove a firewall from a service'
    )
    ;;
  'firewalls devices list')
    flags=(
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--page= Read this page only'
      '--page-size= Results per request; the API documents 25 to 500'
      '--concurrency= Number of pages to read at once (default 8)'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls')
    fields=('id' 'entity.id' 'entity.label=none' 'entity.type=compute|balancer' 'entity.url' 'created' 'updated')
    ;;
  'firewalls devices add')
    flags=(
      '--compute-id*=,@computes Compute instances to protect (repeatable, or a,b)'
      '--balancer-id=@balancers Balancer to protect: its inbound TCP traffic'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)'
      '--allow-lockout Allow changes that block traffic of --keep-open'
      '--concurrency= Number of targets to process at once (default 8)'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls')
    fields=('id' 'entity.id' 'entity.label=none' 'entity.type=compute|balancer' 'entity.url' 'created' 'updated')
    ;;
  'firewalls devices view')
    flags=(
      '--concurrency= Number of targets to process at once (default 8)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls' '*')
    fields=('id' 'entity.id' 'entity.label=none' 'entity.type=compute|balancer' 'entity.url' 'created' 'updated')
    ;;
  'firewalls devices delete')
    flags=(
      '--compute-id*=,@computes Compute instances to protect no longer (repeatable, or a,b)'
      '--balancer-id=@balancers Balancer to protect no longer'
      '--if-present Succeed if the resource does not exist'
      '--force Go on even if it has the tag "protected"'
      '--concurrency= Number of targets to process at once (default 8)'
      '--journal=@files Record progress in a new file, so that --resume can continue'
      '--resume=@files Continue from that file; nothing is done twice'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls' '*')
    fields=('id' 'entity.id' 'entity.label=none' 'entity.type=compute|balancer' 'entity.url' 'created' 'updated')
    ;;
  'firewalls rules')
    verbs=(
      'list,ls Show the rules and policies of a firewall'
      'update,set,replace Replace the rules and policies of a firewall'
      'diff Compare firewall rules with a file'
      'edit Change firewall rules in your editor'
      'add Add a rule to a firewall'
      'remove,rm,delete Remove rules from a firewall'
      'move,mv Move a firewall rule to another position'
      'undo Undo the last change of firewall rules'
    )
    ;;
  'firewalls rules list')
    flags=(
      '--hash Print only the hash of the rules, for --if-match'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls')
    ;;
  'firewalls rules update')
    flags=(
      '--file,--body=@files JSON or YAML file of the rules, - is stdin'
      '--inbound-policy=accept|drop If no inbound rule matches: accept or drop'
      '--outbound-policy=accept|drop If no outbound rule matches: accept or drop'
      '--if-match= Fail if the rules have changed since this hash'
      '--no-validate Skip client-side validation'
      '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)'
      '--allow-lockout Allow changes that block traffic of --keep-open'
      '--confirm-within= Restore the previous rules unless the change is confirmed within this time'
      '--keep-if= Keep the change only if this shell command succeeds in time (default: 90s)'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
      '--force Go on even if it has the tag "protected"'
    )
    arguments=('@firewalls')
    ;;
  'firewalls rules diff')
    flags=(
      '--file,--body=@files JSON or YAML file of the rules, - is stdin'
      '--inbound-policy=accept|drop If no inbound rule matches: accept or drop'
      '--outbound-policy=accept|drop If no outbound rule matches: accept or drop'
      '--exit-code Exit with 13 if there are differences'
      '--no-validate Skip client-side validation'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls')
    ;;
  'firewalls rules edit')
    flags=(
      '--no-validate Skip client-side validation'
      '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)'
      '--allow-lockout Allow changes that block traffic of --keep-open'
      '--confirm-within= Restore the previous rules unless the change is confirmed within this time'
      '--keep-if= Keep the change only if this shell command succeeds in time (default: 90s)'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
      '--force Go on even if it has the tag "protected"'
    )
    arguments=('@firewalls')
    ;;
  'firewalls rules add')
    flags=(
      '--action=accept|drop accept or drop (required)'
      '--protocol=tcp|udp|icmp|ipencap tcp, udp, icmp or ipencap (required)'
      '--port= Ports such as 22,80-90, for tcp and udp (default: all)'
      '--from*= Sources of inbound traffic (repeatable, or a,b)'
      '--to*= Destinations of outbound traffic (repeatable, or a,b)'
      '--label= Name of the rule, 3 to 32 characters'
      '--description= Description of the rule, up to 100 characters'
      '--at= Position of the new rule, counted from 1'
      '--file,--body=@files JSON or YAML of a rule or a list, or NDJSON, - is stdin; flags override it'
      '--if-absent Skip rules that already exist, whatever their label'
      '--if-match= Fail if the rules have changed since this hash'
      '--concurrency= Number of targets to process at once (default 8)'
      '--no-validate Skip client-side validation'
      '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)'
      '--allow-lockout Allow changes that block traffic of --keep-open'
      '--confirm-within= Restore the previous rules unless the change is confirmed within this time'
      '--keep-if= Keep the change only if this shell command succeeds in time (default: 90s)'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
      '--force Go on even if it has the tag "protected"'
    )
    arguments=('@firewalls' 'inbound|outbound' '@firewalls*')
    ;;
  'firewalls rules remove')
    flags=(
      '--if-present Succeed if the resource does not exist'
      '--if-match= Fail if the rules have changed since this hash'
      '--no-validate Skip client-side validation'
      '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)'
      '--allow-lockout Allow changes that block traffic of --keep-open'
      '--confirm-within= Restore the previous rules unless the change is confirmed within this time'
      '--keep-if= Keep the change only if this shell command succeeds in time (default: 90s)'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
      '--force Go on even if it has the tag "protected"'
    )
    arguments=('@firewalls' 'inbound|outbound' '@rules*')
    ;;
  'firewalls rules move')
    flags=(
      '--at= New position, counted from 1 (required)'
      '--if-match= Fail if the rules have changed since this hash'
      '--no-validate Skip client-side validation'
      '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)'
      '--allow-lockout Allow changes that block traffic of --keep-open'
      '--confirm-within= Restore the previous rules unless the change is confirmed within this time'
      '--keep-if= Keep the change only if this shell command succeeds in time (default: 90s)'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
      '--force Go on even if it has the tag "protected"'
    )
    arguments=('@firewalls' 'inbound|outbound' '@rules')
    ;;
  'firewalls rules undo')
    flags=(
      '--force Undo even if the rules have changed since'
      '--no-validate Skip client-side validation'
      '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)'
      '--allow-lockout Allow changes that block traffic of --keep-open'
      '--confirm-within= Restore the previous rules unless the change is confirmed within this time'
      '--keep-if= Keep the change only if this shell command succeeds in time (default: 90s)'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@firewalls')
    ;;
  'ips')
    verbs=(
      'list,ls List the addresses, without the private ones'
      'view,get,show,describe Show an address'
      'allocate,create,add Allocate an IPv4 address to a compute instance'
      'assign Assign addresses and ranges to compute instances'
      'share Set the addresses shared with an instance'
      'rdns Set the reverse DNS of an address'
    )
    ;;
  'ips list')
    flags=(
      '--region=@regions Only addresses of this region'
      '--compute-id=@computes Only addresses of this compute instance'
      '--skip-ipv6-rdns Leave out the reverse DNS of IPv6 addresses, which is faster'
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--page= Read this page only'
      '--page-size= Results per request; the API documents 25 to 500'
      '--concurrency= Number of pages to read at once (default 8)'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('address' 'type=ipv4|ipv6|ipv6/pool|ipv6/range' 'public=true|false' 'compute_id=none' 'region=@regions' 'rdns=none' 'gateway=none' 'subnet_mask=none' 'prefix' 'vpc_nat_1_1.address=none' 'vpc_nat_1_1.subnet_id=none' 'vpc_nat_1_1.vpc_id=none')
    ;;
  'ips view')
    flags=(
      '--concurrency= Number of targets to process at once (default 8)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('*')
    fields=('address' 'type=ipv4|ipv6|ipv6/pool|ipv6/range' 'public=true|false' 'compute_id=none' 'region=@regions' 'rdns=none' 'gateway=none' 'subnet_mask=none' 'prefix' 'vpc_nat_1_1.address=none' 'vpc_nat_1_1.subnet_id=none' 'vpc_nat_1_1.vpc_id=none')
    ;;
  'ips allocate')
    flags=(
      '--compute-id=@computes Compute instance that gets it (required)'
      '--public Reachable from outside'
      '--no-public Reachable from outside'
      '--private Not reachable from outside; an instance has at most one'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('address' 'type=ipv4|ipv6|ipv6/pool|ipv6/range' 'public=true|false' 'compute_id=none' 'region=@regions' 'rdns=none' 'gateway=none' 'subnet_mask=none' 'prefix' 'vpc_nat_1_1.address=none' 'vpc_nat_1_1.subnet_id=none' 'vpc_nat_1_1.vpc_id=none')
    ;;
  'ips assign')
    flags=(
      '--region=@regions Region of all addresses and instances (default: that of the first address)'
      '--family=ipv4 ipv4 uses the older endpoint, with the same result'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('*')
    ;;
  'ips share')
    flags=(
      '--compute-id=@computes Compute instance that may use them as well (required)'
      '--none End all sharing with it'
      '--family=ipv4 ipv4 uses the older endpoint, with the same result'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('*')
    ;;
  'ips rdns')
    flags=(
      '--reset Restore the default name'
      '--body=@files JSON, YAML or NDJSON body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--concurrency= Number of targets to process at once (default 8)'
      '--journal=@files Record progress in a new file, so that --resume can continue'
      '--resume=@files Continue from that file; nothing is done twice'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('' '')
    fields=('address' 'type=ipv4|ipv6|ipv6/pool|ipv6/range' 'public=true|false' 'compute_id=none' 'region=@regions' 'rdns=none' 'gateway=none' 'subnet_mask=none' 'prefix' 'vpc_nat_1_1.address=none' 'vpc_nat_1_1.subnet_id=none' 'vpc_nat_1_1.vpc_id=none')
    ;;
  'ipv6')
    verbs=(
      'pools,pool Blocks of IPv6 addresses for all compute instances of a region'
      'ranges,range Blocks of IPv6 addresses, each routed to a compute instance'
    )
    ;;
  'ipv6 pools')
    verbs=(
      'list,ls List the IPv6 pools'
    )
    ;;
  'ipv6 pools list')
    flags=(
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--page= Read this page only'
      '--page-size= Results per request; the API documents 25 to 500'
      '--concurrency= Number of pages to read at once (default 8)'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('range' 'prefix' 'region=@regions' 'route_target=none')
    ;;
  'ipv6 ranges')
    verbs=(
      'list,ls List the IPv6 ranges'
      'create,add Create an IPv6 range routed to an instance'
      'view,get,show,describe Show an IPv6 range and its targets'
      'delete,rm,remove Delete an IPv6 range; its addresses are lost'
    )
    ;;
  'ipv6 ranges list')
    flags=(
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--page= Read this page only'
      '--page-size= Results per request; the API documents 25 to 500'
      '--concurrency= Number of pages to read at once (default 8)'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('range' 'prefix' 'region=@regions' 'route_target=none')
    ;;
  'ipv6 ranges create')
    flags=(
      '--prefix-length=56|64 Prefix length: 56 or 64 (required)'
      '--compute-id=@computes Compute instance that the range is routed to'
      '--route-target= SLAAC address that the range is routed to'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('range' 'route_target')
    ;;
  'ipv6 ranges view')
    flags=(
      '--concurrency= Number of targets to process at once (default 8)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('*')
    fields=('range' 'prefix' 'region=@regions' 'is_bgp=true|false' 'computes=none')
    ;;
  'ipv6 ranges delete')
    flags=(
      '--if-present Succeed if the resource does not exist'
      '--concurrency= Number of targets to process at once (default 8)'
      '--journal=@files Record progress in a new file, so that --resume can continue'
      '--resume=@files Continue from that file; nothing is done twice'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('*')
    fields=('range' 'prefix' 'region=@regions' 'is_bgp=true|false' 'computes=none')
    ;;
  'vlans')
    verbs=(
      'list,ls List the VLANs'
    )
    ;;
  'vlans list')
    flags=(
      '--region=@regions Only VLANs of this region'
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--page= Read this page only'
      '--page-size= Results per request; the API documents 25 to 500'
      '--concurrency= Number of pages to read at once (default 8)'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('label' 'region=@regions' 'computes=none' 'created')
    ;;
  'profile')
    verbs=(
      'view,get,show,describe Show your profile'
      'update,set Change your profile'
      'grants Show the grants of a restricted user'
      'apps,app OAuth apps with access to the account'
      'devices,device Trusted devices, which need no code'
      'logins,login Logins of the last 90 days'
      'phone The verified phone number'
      'preferences,preference Preferences of the user for this OAuth client'
      'security-questions,security-question Security questions and your answers'
      'sshkeys,sshkey,ssh-keys,ssh-key SSH public keys for new compute instances'
      'tfa Two-factor authentication'
    )
    ;;
  'profile view')
    flags=(
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('username' 'uid' 'email' 'authentication_type=password|idp' 'restricted=true|false' 'two_factor_auth=true|false' 'email_notifications=true|false' 'ip_whitelist_enabled=true|false' 'shell_auth_method=password_keys|keys_only|disabled' 'authorized_keys=none' 'timezone' 'verified_phone_number=none' 'referrals.code=none' 'referrals.url=none' 'referrals.total=none' 'referrals.completed=none' 'referrals.pending=none' 'referrals.credit=none')
    ;;
  'profile update')
    flags=(
      '--email= Address used for communication; fixed for a proxy user'
      '--email-notifications Send email about account activity; business-critical email is always sent'
      '--no-email-notifications Send email about account activity; business-critical email is always sent'
      '--shell-auth-method=password_keys|keys_only|disabled Authentication methods of the remote shell: password_keys, keys_only, disabled'
      '--timezone= Preferred time zone for display, such as Europe/Berlin'
      '--two-factor-auth Ask for a code at logins from untrusted computers; tfa setup enables it'
      '--no-two-factor-auth Ask for a code at logins from untrusted computers; tfa setup enables it'
      '--restricted Limit the user to its grants'
      '--no-restricted Limit the user to its grants'
      '--no-ip-whitelist-enabled Deprecated: it can only be switched off'
      '--authorized-key,--authorized-keys*= SSH public key of the remote shell, in place of the current ones (repeatable)'
      '--authorized-keys-file=@files Read the keys from a file, one on a line; - is stdin'
      '--no-authorized-keys Remove all keys'
      '--add-authorized-key*= Add a key to the current ones (repeatable)'
      '--remove-authorized-key*= Remove a key from the current ones (repeatable)'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('username' 'uid' 'email' 'authentication_type=password|idp' 'restricted=true|false' 'two_factor_auth=true|false' 'email_notifications=true|false' 'ip_whitelist_enabled=true|false' 'shell_auth_method=password_keys|keys_only|disabled' 'authorized_keys=none' 'timezone' 'verified_phone_number=none' 'referrals.code=none' 'referrals.url=none' 'referrals.total=none' 'referrals.completed=none' 'referrals.pending=none' 'referrals.credit=none')
    ;;
  'profile grants')
    flags=(
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    ;;
  'profile apps')
    verbs=(
      'list,ls List the OAuth apps with account access'
      'view,get,show,describe Show an authorized app'
      'revoke,delete,rm,remove Revoke the access of an app'
    )
    ;;
  'profile apps list')
    flags=(
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--page= Read this page only'
      '--page-size= Results per request; the API documents 25 to 500'
      '--concurrency= Number of pages to read at once (default 8)'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('id' 'label' 'scopes' 'website' 'thumbnail_url=none' 'created' 'expiry=none')
    ;;
  'profile apps view')
    flags=(
      '--concurrency= Number of targets to process at once (default 8)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@apps*')
    fields=('id' 'label' 'scopes' 'website' 'thumbnail_url=none' 'created' 'expiry=none')
    ;;
  'profile apps revoke')
    flags=(
      '--force Revoke it even if the current token may belong to it'
      '--if-present Succeed if the resource does not exist'
      '--concurrency= Number of targets to process at once (default 8)'
      '--journal=@files Record progress in a new file, so that --resume can continue'
      '--resume=@files Continue from that file; nothing is done twice'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@apps*')
    fields=('id' 'label' 'scopes' 'website' 'thumbnail_url=none' 'created' 'expiry=none')
    ;;
  'profile devices')
    verbs=(
      'list,ls List the trusted devices'
      'view,get,show,describe Show a trusted device'
      'revoke,delete,rm,remove Revoke a trusted device'
    )
    ;;
  'profile devices list')
    flags=(
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--page= Read this page only'
      '--page-size= Results per request; the API documents 25 to 500'
      '--concurrency= Number of pages to read at once (default 8)'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('id' 'user_agent' 'last_remote_addr' 'last_authenticated' 'created' 'expiry')
    ;;
  'profile devices view')
    flags=(
      '--concurrency= Number of targets to process at once (default 8)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('*')
    fields=('id' 'user_agent' 'last_remote_addr' 'last_authenticated' 'created' 'expiry')
    ;;
  'profile devices revoke')
    flags=(
      '--if-present Succeed if the resource does not exist'
      '--concurrency= Number of targets to process at once (default 8)'
      '--journal=@files Record progress in a new file, so that --resume can continue'
      '--resume=@files Continue from that file; nothing is done twice'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('*')
    fields=('id' 'user_agent' 'last_remote_addr' 'last_authenticated' 'created' 'expiry')
    ;;
  'profile logins')
    verbs=(
      'list,ls List logins of 90 days with their addresses'
      'view,get,show,describe Show a login'
    )
    ;;
  'profile logins list')
    flags=(
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--page= Read this page only'
      '--page-size= Results per request; the API documents 25 to 500'
      '--concurrency= Number of pages to read at once (default 8)'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('id' 'datetime' 'ip' 'username' 'restricted=true|false' 'status=successful|failed')
    ;;
  'profile logins view')
    flags=(
      '--concurrency= Number of targets to process at once (default 8)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('*')
    fields=('id' 'datetime' 'ip' 'username' 'restricted=true|false' 'status=successful|failed')
    ;;
  'profile phone')
    verbs=(
      'setup Verify a phone number, step by step'
      'send Send a verification code to a phone number'
      'verify Verify a phone number with its code'
      'delete,rm,remove Remove the verified phone number'
    )
    ;;
  'profile phone setup')
    ;;
  'profile phone send')
    flags=(
      '--iso-code= Two-letter ISO 3166 country code of the number (required)'
      '--phone-number= Phone number (required)'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
    )
    ;;
  'profile phone verify')
    flags=(
      '--otp-code= Code from the message (required)'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
    )
    ;;
  'profile phone delete')
    flags=(
      '--if-present Succeed if the resource does not exist'
      '--dry-run Print the request and send nothing'
    )
    ;;
  'profile preferences')
    verbs=(
      'view,get,show,describe Show the preferences of this OAuth client'
      'set,update Replace the preferences of this OAuth client'
      'edit Change the preferences in an editor'
    )
    ;;
  'profile preferences view')
    flags=(
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    ;;
  'profile preferences set')
    flags=(
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    ;;
  'profile preferences edit')
    flags=(
      '--dry-run Print the request and send nothing'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    ;;
  'profile security-questions')
    verbs=(
      'list,ls List the security questions and your answers'
      'answer,set Answer three security questions'
    )
    ;;
  'profile security-questions list')
    flags=(
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('security_questions=none')
    ;;
  'profile security-questions answer')
    flags=(
      '--show-answers Show the answers while typing'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('security_questions=none')
    ;;
  'profile sshkeys')
    verbs=(
      'list,ls List the SSH keys of the profile'
      'add,create Add an SSH public key to the profile'
      'view,get,show,describe Show an SSH key'
      'update,set Change the label of an SSH key'
      'delete,rm,remove Delete an SSH key; instances keep their copies'
    )
    ;;
  'profile sshkeys list')
    flags=(
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--page= Read this page only'
      '--page-size= Results per request; the API documents 25 to 500'
      '--concurrency= Number of pages to read at once (default 8)'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('id' 'label' 'ssh_key' 'created')
    ;;
  'profile sshkeys add')
    flags=(
      '--label= Label of the key (required)'
      '--file=@files Read the public key from a file; - is stdin'
      '--ssh-key= The public key itself, as in a file that ends with .pub; - is stdin'
      '--if-absent Use the existing one with this label if it matches'
      '--allow-duplicate Allow a label that is already in use'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('id' 'label' 'ssh_key' 'created')
    ;;
  'profile sshkeys view')
    flags=(
      '--concurrency= Number of targets to process at once (default 8)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@sshkeys*')
    fields=('id' 'label' 'ssh_key' 'created')
    ;;
  'profile sshkeys update')
    flags=(
      '--label= Label of the key (required)'
      '--allow-duplicate Allow a label that is already in use'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@sshkeys')
    fields=('id' 'label' 'ssh_key' 'created')
    ;;
  'profile sshkeys delete')
    flags=(
      '--if-present Succeed if the resource does not exist'
      '--concurrency= Number of targets to process at once (default 8)'
      '--journal=@files Record progress in a new file, so that --resume can continue'
      '--resume=@files Continue from that file; nothing is done twice'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@sshkeys*')
    fields=('id' 'label' 'ssh_key' 'created')
    ;;
  'profile tfa')
    verbs=(
      'setup Switch two-factor authentication on, step by step'
      'enable Create a two-factor secret, which must be confirmed'
      'confirm Switch two-factor authentication on with a code'
      'disable Switch two-factor authentication off'
    )
    ;;
  'profile tfa setup')
    flags=(
      '--scratch-file=@files Write the scratch code to a private file instead of showing it'
      '--force Replace an existing file'
      '--qr=utf8|ascii|none Draw the QR code as utf8, ascii or none'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    ;;
  'profile tfa enable')
    flags=(
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('secret' 'expiry')
    ;;
  'profile tfa confirm')
    flags=(
      '--tfa-code= Current code from the authenticator app (required)'
      '--scratch-file=@files Write the scratch code to a private file instead of showing it'
      '--force Replace an existing file'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('scratch')
    ;;
  'profile tfa disable')
    flags=(
      '--dry-run Print the request and send nothing'
    )
    ;;
  'tokens')
    verbs=(
      'list,ls List your personal access tokens'
      'create,add Create a personal access token'
      'view,get,show,describe Show a personal access token'
      'update,set Change the label of a personal access token'
      'revoke,delete,rm,remove Revoke a personal access token'
      'rotate Replace a token with a new one'
    )
    ;;
  'tokens list')
    flags=(
      '--expiring= Only tokens that expire within this time, such as 14d'
      '--superseded Only replaced tokens with a grace period'
      '--due With --superseded, only tokens whose grace period is over'
      '--exit-code Exit with 13 if --expiring finds tokens'
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--page= Read this page only'
      '--page-size= Results per request; the API documents 25 to 500'
      '--concurrency= Number of pages to read at once (default 8)'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('id' 'label' 'scopes' 'created' 'expiry=none' 'token')
    ;;
  'tokens create')
    flags=(
      '--label= Label of the token (required)'
      '--scope,--scopes*=,*|account:read_only|account:read_write|child_account:read_only|child_account:read_write|computes:read_only|computes:read_write|databases:read_only|databases:read_write|domains:read_only|domains:read_write|events:read_only|events:read_write|firewall:read_only|firewall:read_write|images:read_only|images:read_write|ips:read_only|ips:read_write|monitor:read_only|monitor:read_write|balancers:read_only|balancers:read_write|object_storage:read_only|object_storage:read_write|scripts:read_only|scripts:read_write|volumes:read_only|volumes:read_write|vpc:read_only|vpc:read_write|ips:read Scope, such as volumes:read_only; * is everything (repeatable, or a,b)'
      '--scopes-for*=,volumes+list|volumes+create|volumes+view|volumes+update|volumes+delete|volumes+attach|volumes+detach|volumes+resize|volumes+clone|volumes+wait|regions+list|regions+view|regions+availability|firewalls+list|firewalls+create|firewalls+view|firewalls+update|firewalls+enable|firewalls+disable|firewalls+delete|firewalls+open|firewalls+close|firewalls+sweep|firewalls+test|firewalls+devices+list|firewalls+devices+add|firewalls+devices+view|firewalls+devices+delete|firewalls+rules+list|firewalls+rules+update|firewalls+rules+diff|firewalls+rules+edit|firewalls+rules+add|firewalls+rules+remove|firewalls+rules+move|firewalls+rules+undo|ips+list|ips+view|ips+allocate|ips+assign|ips+share|ips+rdns|ipv6+pools+list|ipv6+ranges+list|ipv6+ranges+create|ipv6+ranges+view|ipv6+ranges+delete|vlans+list|profile+view|profile+update|profile+grants|profile+apps+list|profile+apps+view|profile+apps+revoke|profile+devices+list|profile+devices+view|profile+devices+revoke|profile+logins+list|profile+logins+view|profile+phone+setup|profile+phone+send|profile+phone+verify|profile+phone+delete|profile+preferences+view|profile+preferences+set|profile+preferences+edit|profile+security-questions+list|profile+security-questions+answer|profile+sshkeys+list|profile+sshkeys+add|profile+sshkeys+view|profile+sshkeys+update|profile+sshkeys+delete|profile+tfa+setup|profile+tfa+enable|profile+tfa+confirm|profile+tfa+disable|tokens+list|tokens+create|tokens+view|tokens+update|tokens+revoke|tokens+rotate|export|plan|apply|overview|audit|doctor|auth+status Scopes that this command needs, such as "volumes create" (repeatable, or a,b)'
      '--expiry= Expiry: 90d, 12h, 2027-01-31, 2027-01-31T12:00:00 (UTC), or never'
      '--output-file=@files Write the token to a private file instead of showing it'
      '--force Replace an existing file'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('id' 'label' 'scopes' 'created' 'expiry=none' 'token')
    ;;
  'tokens view')
    flags=(
      '--concurrency= Number of targets to process at once (default 8)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@tokens*')
    fields=('id' 'label' 'scopes' 'created' 'expiry=none' 'token')
    ;;
  'tokens update')
    flags=(
      '--label= Label of the token (required)'
      '--body=@files JSON or YAML body, - is stdin; flags override it'
      '--no-validate Skip client-side validation'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@tokens')
    fields=('id' 'label' 'scopes' 'created' 'expiry=none' 'token')
    ;;
  'tokens revoke')
    flags=(
      '--force Revoke it even if it is the current token'
      '--if-present Succeed if the resource does not exist'
      '--concurrency= Number of targets to process at once (default 8)'
      '--journal=@files Record progress in a new file, so that --resume can continue'
      '--resume=@files Continue from that file; nothing is done twice'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@tokens*')
    fields=('id' 'label' 'scopes' 'created' 'expiry=none' 'token')
    ;;
  'tokens rotate')
    flags=(
      '--expiry= Expiry: 90d, 12h, 2027-01-31, 2027-01-31T12:00:00 (UTC), or never'
      '--keep-old= Leave the old token valid, and name this time, such as 24h, to revoke it'
      '--output-file=@files Write the token to a private file: a new one, or the one with the old token'
      '--force Replace an existing file; without one, replace the current token although nothing stores the new one'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@tokens')
    fields=('id' 'label' 'scopes' 'created' 'expiry=none' 'token')
    ;;
  'export')
    flags=(
      '--owner= Set this owner in the file, for apply --prune'
      '--filter*= Export only matching resources of one kind: tags=web-team (skyctl help filter) (repeatable)'
      '--into=@files Add what is missing to this file, and keep its comments'
      '--schema Print the JSON Schema of account files instead'
    )
    arguments=('volumes|firewalls|sshkeys|ips|rdns|tokens|profile*')
    ;;
  'plan')
    flags=(
      '--only*=volumes|firewalls|sshkeys|ips|rdns|tokens|profile Only these: volumes/pgdata, volumes/log* (repeatable)'
      '--prune Delete what has the owner'\''s tag and is in no file'
      '--adopt Add the owner'\''s tag to what is in the files and lacks it'
      '--max-deletes= Fail if --prune would delete more (default 3)'
      '--exit-code Exit with 13 if the account differs from the files'
      '--drift Report how the account differs, and its last changes from this machine'
      '--out=@files Save the plan for apply in a file that only you can read'
      '--force Replace an existing file'
      '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)'
      '--allow-lockout Allow changes that block traffic of --keep-open'
      '--full Print equal changes one by one, instead of folding them'
      '--output,-o=table|json|ndjson|yaml|csv|tsv|markdown Print as table, json, ndjson, yaml, csv, tsv, markdown'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@files*')
    ;;
  'apply')
    flags=(
      '--only*=volumes|firewalls|sshkeys|ips|rdns|tokens|profile Only these: volumes/pgdata, volumes/log* (repeatable)'
      '--prune Delete what has the owner'\''s tag and is in no file'
      '--adopt Add the owner'\''s tag to what is in the files and lacks it'
      '--max-deletes= Fail if --prune would delete more (default 3)'
      '--force Change protected resources, too'
      '--outputs=@files Write the ids of all objects to a file, as JSON'
      '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)'
      '--allow-lockout Allow changes that block traffic of --keep-open'
      '--concurrency= Number of targets to process at once (default 8)'
      '--wait-timeout= Maximum time to wait, for all targets together (default 5m)'
      '--confirm-within= Restore the previous rules unless the change is confirmed within this time'
      '--keep-if= Keep the change only if this shell command succeeds in time (default: 90s)'
      '--dry-run Print the plan, as skyctl plan does, and send nothing'
      '--full Print equal changes one by one, instead of folding them'
      '--output,-o=table|json|ndjson|yaml|csv|tsv|markdown Print as table, json, ndjson, yaml, csv, tsv, markdown'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@files*')
    ;;
  'overview')
    flags=(
      '--output,-o=table|json|ndjson|yaml|csv|tsv|mermaid Print as table, json, ndjson, yaml, csv, tsv, mermaid'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    ;;
  'audit')
    flags=(
      '--fail-on=critical|high|medium|low Exit with 13 for a finding of this severity or worse'
      '--ignore=@files Leave out the exceptions in this file; - is stdin'
      '--code*=,two-factor-off|database-port-open|admin-port-open|internal-port-open|inbound-policy-accept|unknown-protocol-open|opening-expired|instance-unprotected|balancer-unprotected|token-full-scope|ssh-key-weak|large-network-open|wide-range-open|amplifier-port-open|failed-logins|security-questions-unanswered|token-never-expires|token-expires-soon|app-write-scopes|device-trusted-long|firewall-disabled|rule-not-judged|outbound-open|rule-never-matches|firewall-unused|rule-budget|address-budget|token-long-lived|ssh-key-twice|volume-label-twice|ssh-key-label-twice|token-label-twice|volume-unattached|address-without-rdns Run only these checks (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    ;;
  'doctor')
    flags=(
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    ;;
  'history')
    verbs=(
      'list,ls List changes made from this machine, newest first'
      'view,get,show,describe Show a change and the state before it'
      'undo Undo one change or a whole apply'
      'clear Remove the history of this machine'
    )
    ;;
  'history list')
    flags=(
      '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
      '--limit= Maximum number of results'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    fields=('number' 'time' 'context=none' 'service' 'uid=none' 'username=none' 'command' 'apply=none' 'method' 'path' 'kind=none' 'id=none' 'label=none' 'outcome=ok|failed|unknown' 'code=none' 'status=none' 'request_ids=none' 'next=none' 'undo=none' 'no_undo=none')
    ;;
  'history view')
    flags=(
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('')
    fields=('number' 'time' 'context=none' 'service' 'uid=none' 'username=none' 'command' 'apply=none' 'method' 'path' 'kind=none' 'id=none' 'label=none' 'outcome=ok|failed|unknown' 'code=none' 'status=none' 'request_ids=none' 'next=none' 'undo=none' 'no_undo=none' 'before=none')
    ;;
  'history undo')
    flags=(
      '--apply= Undo all changes of one apply; history list shows its id'
      '--force Undo even if the resource has changed since or is protected'
      '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)'
      '--allow-lockout Allow changes that block traffic of --keep-open'
      '--allow-duplicate Allow a label that is already in use'
      '--dry-run Print the request and send nothing'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('')
    ;;
  'history clear')
    ;;
  'auth')
    verbs=(
      'login Sign in with a token and store it'
      'logout Sign out: remove the token of a context'
      'status Show the current service, user and token'
    )
    ;;
  'auth login')
    flags=(
      '--with-token Read the token from stdin'
    )
    ;;
  'auth logout')
    arguments=('@contexts')
    ;;
  'auth status')
    flags=(
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    ;;
  'context')
    verbs=(
      'list,ls List the contexts'
      'use Set the current context'
      'view,get,show,describe Show a context, without its token'
      'update,set Change defaults or token command of a context'
      'rename Rename a context'
      'delete,rm,remove Delete a context with its token'
    )
    ;;
  'context list')
    flags=(
      '--limit= Maximum number of results'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    ;;
  'context use')
    arguments=('@contexts')
    ;;
  'context view')
    flags=(
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('@contexts')
    ;;
  'context update')
    flags=(
      '--region=@regions Default region of new volumes; "" for none'
      '--default-output=table|json|ndjson|yaml|csv|tsv Default output format; "" for none'
      '--keep-open*= Traffic that firewall changes must not block, as tcp/22@198.51.100.7 (repeatable)'
      '--no-keep-open Traffic that firewall changes must not block, as tcp/22@198.51.100.7 (repeatable)'
      '--networks=@files File with names of networks, for --from office; "" for none'
      '--token-command= Shell command that prints the token; it replaces a stored token'
    )
    arguments=('@contexts')
    ;;
  'context rename')
    arguments=('@contexts' '')
    ;;
  'context delete')
    arguments=('@contexts')
    ;;
  'api')
    flags=(
      '--body=@files Send this JSON or YAML file; - is stdin'
      '--header,-H*= Add a header, such as '\''X-Filter: {}'\'' (repeatable)'
      '--paginate Read every page, and print the items as one array'
      '--openapi Print the OpenAPI 3.1 document and send nothing'
      '--dry-run Print the request and send nothing'
      '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('GET|POST|PUT|DELETE' '')
    ;;
  'sandbox')
    verbs=(
      'start Run the sandbox as a server'
      'world List the resources of the context "sandbox"'
      'outbox List messages, such as SMS with phone codes'
      'reset Reset the context "sandbox" to its initial state'
    )
    ;;
  'sandbox start')
    flags=(
      '--port= Port on loopback (default: any free port)'
      '--state=@files Store the world in this file'
      '--memory Keep the world in memory (the default)'
      '--seed=@files Start with this world (JSON or YAML, as sandbox world prints it; - is stdin)'
      '--clock= Start at this time: 2026-01-31T12:00:00 (in UTC)'
      '--stop-clock Stop the clock until it is moved'
      '--transition= Duration of creating, cloning and resizing (default 1000)'
      '--latency= Delay every answer by this many milliseconds'
      '--fail*= Fail the next requests: 429:3,500:1; 503:2:/volumes only below that path (repeatable, or a,b)'
      '--drop-answer*= Lose the answers of the next writes: 1, or 2:/volumes only below that path (repeatable, or a,b)'
      '--rate-limit Enforce the rate limits of the service'
      '--strict Reject input that the service tolerates: unknown keys, null, trailing slashes in paths'
    )
    ;;
  'sandbox world')
    flags=(
      '--query= Choose from the JSON with a JMESPath expression'
    )
    ;;
  'sandbox outbox')
    flags=(
      '--limit= Maximum number of results'
      '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    ;;
  'sandbox reset')
    ;;
  'completion')
    verbs=(
      'bash Print the completion script for bash'
      'zsh Print the completion script for zsh'
      'fish Print the completion script for fish'
      'powershell Print the completion script for PowerShell'
    )
    ;;
  'completion bash')
    ;;
  'completion zsh')
    ;;
  'completion fish')
    ;;
  'completion powershell')
    ;;
  'version')
    flags=(
      '--check Look for a newer version'
      '--from= Address of the latest release; default: SKYCTL_RELEASES'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    ;;
  'help')
    verbs=(
      'volumes,volume Block storage volumes'
      'regions,region Regions, their capabilities and available plans'
      'firewalls,firewall Firewalls, their rules and protected services'
      'ips,ip Addresses: allocate, assign, share, reverse DNS'
      'ipv6 IPv6 pools and ranges'
      'vlans,vlan Virtual local area networks'
      'profile Your profile, SSH keys and sign-in security'
      'tokens,token Personal access tokens'
      'export Export the account as a file for apply'
      'plan Preview the changes that would match the files'
      'apply Apply the files to the account'
      'overview Show the account on one screen or diagram'
      'audit Check the account for security and cost problems'
      'doctor Diagnose problems with skyctl on this machine'
      'history Show and undo changes made from this machine'
      'auth Sign-in, sign-out and current user'
      'context,contexts Contexts: stored accounts and their defaults'
      'api Send any request to the service'
      'sandbox Embedded sandbox of the service, for tests'
      'completion Completion for bash, zsh, fish and PowerShell'
      'version Show the version, or find a newer one'
    )
    flags=(
      '--all Show every flag and example of the command'
      '--limit= Maximum number of results'
      '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
      '--no-headers Leave out the header line'
      '--query= Choose from the JSON with a JMESPath expression'
      '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
    )
    arguments=('account-file|bulk|environment|exit-codes|filter|flags|lockout|networks|output|references|rules-file|wait|find*')
    ;;
  esac
  flags+=(
      '--context=@contexts Account to act on; "sandbox" is built in'
      '--output,-o=table|json|ndjson|yaml|csv|tsv Print as table, json, ndjson, yaml, csv, tsv'
      '--json Same as --output json'
      '--quiet,-q Print ids only, and no messages'
      '--yes,-y Answer every question with yes'
      '--verbose,-v Print retries and their causes'
      '--base-url= Address of the service, up to and including /v4'
      '--color=auto|always|never Use colour: auto, always, never'
      '--timeout= Time limit for a request with its retries (default 2m)'
      '--retries= Maximum retries of requests that are safe to repeat (default 2)'
      '--max-wait= Longest wait that the service may request (default 60s)'
      '--debug Show requests and answers, without secrets'
      '--debug-file=@files Append the output of --debug, with times, to a private file'
      '--help,-h Show help'
  )
}

# Finds the row of a name in those that follow it; in REPLY.
__skyctl_find() {
  local name=$1
  shift
  for REPLY; do
    [[ ,${${REPLY%% *}%%[*=]*}, == *",$name,"* ]] && return
  done
  return 1
}

# Goes one word along the line (README.md, the walk); fails where nothing is known to follow.
__skyctl_step() {
  if [[ -n $flag ]]; then
    __skyctl_take "$flag" "$1"
    flag=
  elif [[ -z $targets && $1 == -- ]]; then
    targets=1
  elif [[ -z $targets && $1 == -?* ]]; then
    __skyctl_flag "$1" || return 0
    given+=("$REPLY")
    [[ ${REPLY%% *} == *=* ]] || return 0
    if [[ $1 == --*=* ]]; then __skyctl_take "$REPLY" "${1#*=}"; else flag=$REPLY; fi
  elif __skyctl_find "$1" "${verbs[@]}"; then
    [[ $line == help ]] && line=
    line+=${line:+ }${REPLY%%[ ,]*}
    __skyctl_place "$line"
  else
    (( position += 1 ))
    used+=("$1")
    (( $#verbs == 0 || $#arguments > 0 ))
  fi
}

# Finds the row of a flag as it was typed; snake_case is the same flag.
__skyctl_flag() {
  local name=${1%%=*}
  [[ $name == --* ]] && name=${name//_/-}
  __skyctl_find "$name" "${flags[@]}"
}

# Notes what decides whose names are completed.
__skyctl_take() {
  case $1 in
  --context=*) context=$2 ;;
  --base-url=*) elsewhere=1 ;;
  esac
}

# Offers the names of rows; their aliases only where no name begins like the word at the cursor.
__skyctl_describe() {
  local tag=$1 row alias typed=${(Q)PREFIX} found=
  local -a shown
  shift
  for row; do
    shown+=("${row%%[ ,*=]*}:${row#* }")
    [[ $row == "$typed"* ]] && found=1
  done
  if [[ -z $found ]]; then
    for row; do
      for alias in "${(@s:,:)${${row%% *}%%[*=]*}}"; do
        [[ $alias == -[^-]* ]] || shown+=("$alias:${row#* }")
      done
    done
  fi
  _describe -t "$tag" "$tag" shown
}

# Offers VALUES.
__skyctl_values() {
  local values=${1%\*} typed tab=$'\t' word
  local -a lines shown expl match mbegin mend
  if [[ $values == ,* ]]; then
    values=${values#,}
    compset -P '*,'
  fi
  typed=${(Q)PREFIX}
  case $values in
  @files) _files ;;
  @columns | @sort | @filter) __skyctl_fields "$values" ;;
  @*)
    __skyctl_names "${values#@}"
    if [[ $values == @rules ]]; then
      # Those of the firewall and the direction before the cursor, which are no rules themselves.
      lines=(${(M)lines:#$side*})
      lines=("${(@)lines#$side}")
      used=("${(@)used[3,-1]}")
    fi
    if [[ $typed == label:* && $values != @regions && $values != @contexts ]]; then
      compset -P 'label:'
      typed=${(Q)PREFIX}
      lines=("${(@)${(@)lines:#<->$tab*}#label:}")
    fi
    for word in "${used[@]}"; do
      word=${${word#label:}#id:}
      lines=("${(@)${(@)lines:#(label:|)$word($tab*|)}:#*$tab$word}")
    done
    # There may be thousands: nothing is called for each.
    if [[ $typed == [1-9]* ]]; then
      shown=(${(M)lines:#*$tab$typed*})
      lines=(${lines:#*$tab$typed*} "${(@)shown/(#b)(*)$tab(*)/$match[2]$tab$match[1]}")
    fi
    shown=("${(@)lines/$tab/  -- }")
    lines=("${(@)lines%%$tab*}")
    _wanted "${values#@}" expl "${values#@}" compadd -l -d shown -a lines
    ;;
  ?*)
    shown=("${(@s:|:)${values//+/ }}")
    _wanted values expl value compadd -a shown
    ;;
  esac
}

# Offers fields: "NAME=" to filter by, and behind that what the field may hold.
__skyctl_fields() {
  local -a shown=("${(@)fields%%=*}") expl
  local REPLY
  case $1 in
  @columns) shown+=(all) ;;
  @sort) compset -P - ;;
  @filter)
    if [[ $typed == *=* ]]; then
      __skyctl_find "${typed%%[^A-Za-z0-9_.]*}" "${fields[@]}" && [[ $REPLY == *=* ]] && compset -P '*=' &&
        __skyctl_values "${REPLY#*=}"
      return
    fi
    shown=("${(@)shown/%/=}")
    _wanted fields expl field compadd -S '' -a shown
    return
    ;;
  esac
  _wanted fields expl field compadd -a shown
}

# Sets lines to the names of a kind, NAME[<tab>NOTE] each (README.md, names from the account).
__skyctl_names() {
  [[ $1 == contexts || -z $elsewhere ]] || return
  local file
  local -a ask=(completion values "$1") old
  [[ -z $context ]] || ask+=(--context "$context")
  __skyctl_kept_file "$1"
  if [[ -f $file && -r $file ]]; then
    lines=(${(f)"$(<$file)"})
    old=("$file"(Nmm+5))
    (( $#old )) || return 0
    touch -c "$file" 2>/dev/null
    command skyctl "${ask[@]}" --timeout 30s </dev/null &>/dev/null &!
  elif [[ $1 == rules ]]; then
    # Those of many firewalls: Tab does not wait for them.
    [[ -z $file ]] || command skyctl "${ask[@]}" --timeout 30s </dev/null &>/dev/null &!
  else
    lines=(${(f)"$(command skyctl "${ask[@]}" --timeout 2s </dev/null 2>/dev/null)"})
  fi
}

# Sets file to where the names of the account in use are kept; leaves it empty where that is nowhere, or unknown.
__skyctl_kept_file() {
  local folder=$HOME/.cache/skyctl name=${context:-$SKYCTL_CONTEXT}
  [[ $XDG_CACHE_HOME == /* ]] && folder=$XDG_CACHE_HOME/skyctl
  [[ $OSTYPE == darwin* ]] && folder=$HOME/Library/Caches/skyctl
  if [[ $1 == contexts ]]; then
    file=$folder/names/.contexts
    return
  fi
  if [[ -z $name ]]; then
    [[ -f $folder/names/.current && -r $folder/names/.current ]] && IFS= read -r name <"$folder/names/.current"
    [[ $name != */* ]] || name=
  elif [[ $name == .* || $name == *[^A-Za-z0-9_.-]* ]]; then
    # How other names are encoded, skyctl itself knows best.
    name=
  fi
  [[ -n $context || $SKYCTL_CONTEXT == sandbox || -z $SKYCTL_TOKEN$SKYCTL_TOKEN_FILE$SKYCTL_BASE_URL ]] || __skyctl_account
  [[ -z $name ]] || file=$folder/names/$name/$1
}

# Sets name to the folder of the account that the environment names, as environmentFolder in src/account/name-cache.ts does;
# to nothing where it cannot.
__skyctl_account() {
  local user=${${SKYCTL_TOKEN[1,16]}:-$name} place=${SKYCTL_BASE_URL:-$name} sum=0 char
  name=
  [[ -z $SKYCTL_TOKEN_FILE && -n $user && -n $place && "$place $user" != *[^\ -~]* ]] || return
  for char in "${(@s::)${:-$place $user}}"; do
    (( sum = (sum * 257 + #char) % 17592186044399 ))
  done
  name=.env-$sum
}

_skyctl() {
  local -a verbs flags arguments fields given used left
  local line= flag= targets= context= elsewhere= side= position=0 word row last typed REPLY
  __skyctl_place ''
  for word in "${(@Q)words[2,CURRENT-1]}"; do
    __skyctl_step "$word" || return
  done
  typed=${(Q)PREFIX}
  if [[ -n $flag ]]; then
    used=()
    __skyctl_values "${${flag%% *}#*=}"
  elif [[ -z $targets && $typed == --*=* ]]; then
    used=()
    __skyctl_flag "$typed" && [[ ${REPLY%% *} == *=* ]] && compset -P 1 '*=' && __skyctl_values "${${REPLY%% *}#*=}"
  elif [[ -z $targets && $typed == -* ]]; then
    for row in "${flags[@]}"; do
      [[ ${row%% *} == *\** ]] || ! __skyctl_find "${row%%[ ,=]*}" "${given[@]}" && left+=("$row")
    done
    __skyctl_describe flags "${left[@]}"
  else
    (( $#verbs )) && __skyctl_describe commands "${verbs[@]}"
    last=$#arguments
    (( position < last )) || [[ ${arguments[-1]} == *\* ]] || return
    side="${${used[1]#label:}#id:} $used[2] "
    [[ ${arguments[-1]} == *\* ]] || used=()
    __skyctl_values "${arguments[position < last ? position + 1 : last]}"
  fi
}

if [[ ${funcstack[1]} == _skyctl ]]; then
  _skyctl "$@"
elif (( ${+functions[compdef]} )); then
  compdef _skyctl skyctl
fi
