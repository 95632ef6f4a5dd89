# fish completion for skyctl, made from its commands.
#   skyctl completion fish > ~/.config/fish/completions/skyctl.fish
# How the scripts of all shells work: src/generate/shells/README.md in the sources of skyctl.
#
# For fish 3 and newer, which quotes what it inserts itself.

# Prints the commands, flags, arguments or fields of a place.
function __skyctl_rows --argument-names kind path
    switch "$kind $path"
        case 'commands '
            printf '%s\n' 'volumes,volume Block storage volumes' \
                'regions,region Regions, their capabilities and available plans' \
                'firewalls,firewall Firewalls, their rules and protected services' \
                'ips,ip Addresses: allocate, assign, share, reverse DNS' \
                'ipv6 IPv6 pools and ranges' \
                'vlans,vlan Virtual local area networks' \
                'profile Your profile, SSH keys and sign-in security' \
                'tokens,token Personal access tokens' \
                'export Export the account as a file for apply' \
                'plan Preview the changes that would match the files' \
                'apply Apply the files to the account' \
                'overview Show the account on one screen or diagram' \
                'audit Check the account for security and cost problems' \
                'doctor Diagnose problems with skyctl on this machine' \
                'history Show and undo changes made from this machine' \
                'auth Sign-in, sign-out and current user' \
                'context,contexts Contexts: stored accounts and their defaults' \
                'api Send any request to the service' \
                'sandbox Embedded sandbox of the service, for tests' \
                'completion Completion for bash, zsh, fish and PowerShell' \
                'version Show the version, or find a newer one' \
                'help Show help, or find a command'
        case 'flags '
            printf '%s\n' '--version,-V Show the version'
        case 'commands volumes'
            printf '%s\n' 'list,ls List the volumes you may view' \
                'create,add Create a volume; billing starts' \
                'view,get,show,describe Show a volume' \
                'update,set Change the label or tags of a volume' \
                'delete,rm,remove Delete a volume with its data; billing stops' \
                'attach Attach a volume to a compute instance' \
                'detach Detach a volume from its compute instance' \
                'resize Grow a volume; it can never shrink' \
                'clone Copy a volume with its data; billing starts' \
                'wait Wait until volumes reach a state'
        case 'flags volumes list'
            printf '%s\n' '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--page= Read this page only' \
                '--page-size= Results per request; the API documents 25 to 500' \
                '--concurrency= Number of pages to read at once (default 8)' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields volumes list'
            printf '%s\n' 'id' \
                'label' \
                'status=creating|active|resizing' \
                'size' \
                'region=@regions' \
                'compute_id=none' \
                'compute_label=none' \
                'filesystem_path' \
                'hardware_type=hdd|nvme' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags volumes create'
            printf '%s\n' '--label= Label of the volume (required)' \
                '--size= Size in GiB (default: 20)' \
                '--region=@regions Region ID; required without a compute instance' \
                '--compute-id=@computes Compute instance to attach the volume to' \
                '--config-id= Configuration of that compute instance to attach it in' \
                '--tag,--tags*= Tags to organize by (repeatable, or a,b)' \
                '--if-absent Use the existing one with this label if it matches' \
                '--allow-duplicate Allow a label that is already in use' \
                '--body=@files JSON, YAML or NDJSON body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--wait Wait until active' \
                '--wait-timeout= Maximum time to wait, for all targets together (default 5m)' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--journal=@files Record progress in a new file, so that --resume can continue' \
                '--resume=@files Continue from that file; nothing is done twice' \
                '--resend-unknown With --resume: resend requests of unknown outcome if nothing new has their label' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields volumes create'
            printf '%s\n' 'id' \
                'label' \
                'status=creating|active|resizing' \
                'size' \
                'region=@regions' \
                'compute_id=none' \
                'compute_label=none' \
                'filesystem_path' \
                'hardware_type=hdd|nvme' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags volumes view'
            printf '%s\n' '--concurrency= Number of targets to process at once (default 8)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments volumes view'
            printf '%s\n' '@volumes*'
        case 'fields volumes view'
            printf '%s\n' 'id' \
                'label' \
                'status=creating|active|resizing' \
                'size' \
                'region=@regions' \
                'compute_id=none' \
                'compute_label=none' \
                'filesystem_path' \
                'hardware_type=hdd|nvme' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags volumes update'
            printf '%s\n' '--label= Label of the volume' \
                '--tag,--tags*= Tags to organize by (repeatable, or a,b)' \
                '--no-tags Empty the list of tags' \
                '--add-tag*= Add a tag to the current ones (repeatable, or a,b)' \
                '--remove-tag*= Remove a tag from the current ones (repeatable, or a,b)' \
                '--allow-duplicate Allow a label that is already in use' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments volumes update'
            printf '%s\n' '@volumes'
        case 'fields volumes update'
            printf '%s\n' 'id' \
                'label' \
                'status=creating|active|resizing' \
                'size' \
                'region=@regions' \
                'compute_id=none' \
                'compute_label=none' \
                'filesystem_path' \
                'hardware_type=hdd|nvme' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags volumes delete'
            printf '%s\n' '--if-present Succeed if the resource does not exist' \
                '--force Go on even if it has the tag "protected"' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--journal=@files Record progress in a new file, so that --resume can continue' \
                '--resume=@files Continue from that file; nothing is done twice' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments volumes delete'
            printf '%s\n' '@volumes*'
        case 'fields volumes delete'
            printf '%s\n' 'id' \
                'label' \
                'status=creating|active|resizing' \
                'size' \
                'region=@regions' \
                'compute_id=none' \
                'compute_label=none' \
                'filesystem_path' \
                'hardware_type=hdd|nvme' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags volumes attach'
            printf '%s\n' '--compute-id=@computes Compute instance to attach the volume to (required)' \
                '--config-id= Configuration of that compute instance to attach it in' \
                '--persist-across-boots Attach the volume at every boot' \
                '--no-persist-across-boots Attach the volume at every boot' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--wait Wait until attached' \
                '--wait-timeout= Maximum time to wait, for all targets together (default 5m)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments volumes attach'
            printf '%s\n' '@volumes'
        case 'fields volumes attach'
            printf '%s\n' 'id' \
                'label' \
                'status=creating|active|resizing' \
                'size' \
                'region=@regions' \
                'compute_id=none' \
                'compute_label=none' \
                'filesystem_path' \
                'hardware_type=hdd|nvme' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags volumes detach'
            printf '%s\n' '--if-present Succeed if the resource does not exist' \
                '--force Go on even if it has the tag "protected"' \
                '--wait Wait until detached' \
                '--wait-timeout= Maximum time to wait, for all targets together (default 5m)' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--journal=@files Record progress in a new file, so that --resume can continue' \
                '--resume=@files Continue from that file; nothing is done twice' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments volumes detach'
            printf '%s\n' '@volumes*'
        case 'fields volumes detach'
            printf '%s\n' 'id' \
                'label' \
                'status=creating|active|resizing' \
                'size' \
                'region=@regions' \
                'compute_id=none' \
                'compute_label=none' \
                'filesystem_path' \
                'hardware_type=hdd|nvme' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags volumes resize'
            printf '%s\n' '--size= New size in GiB, larger than the current one (required)' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--wait Wait until active' \
                '--wait-timeout= Maximum time to wait, for all targets together (default 5m)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments volumes resize'
            printf '%s\n' '@volumes'
        case 'fields volumes resize'
            printf '%s\n' 'id' \
                'label' \
                'status=creating|active|resizing' \
                'size' \
                'region=@regions' \
                'compute_id=none' \
                'compute_label=none' \
                'filesystem_path' \
                'hardware_type=hdd|nvme' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags volumes clone'
            printf '%s\n' '--label= Label of the volume (required)' \
                '--allow-duplicate Allow a label that is already in use' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--wait Wait until active' \
                '--wait-timeout= Maximum time to wait, for all targets together (default 5m)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments volumes clone'
            printf '%s\n' '@volumes'
        case 'fields volumes clone'
            printf '%s\n' 'id' \
                'label' \
                'status=creating|active|resizing' \
                'size' \
                'region=@regions' \
                'compute_id=none' \
                'compute_label=none' \
                'filesystem_path' \
                'hardware_type=hdd|nvme' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags volumes wait'
            printf '%s\n' '--for=active|attached|detached|deleted active, attached, detached, deleted (default active)' \
                '--wait-timeout= Maximum time to wait, for all targets together (default 5m)' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments volumes wait'
            printf '%s\n' '@volumes*'
        case 'fields volumes wait'
            printf '%s\n' 'id' \
                'label' \
                'status=creating|active|resizing' \
                'size' \
                'region=@regions' \
                'compute_id=none' \
                'compute_label=none' \
                'filesystem_path' \
                'hardware_type=hdd|nvme' \
                'tags=none' \
                'created' \
                'updated'
        case 'commands regions'
            printf '%s\n' 'list,ls List the regions' \
                'view,get,show,describe Show a region' \
                'availability List the availability of premium and GPU plans'
        case 'flags regions list'
            printf '%s\n' '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--page= Read this page only' \
                '--page-size= Results per request; the API documents 25 to 500' \
                '--concurrency= Number of pages to read at once (default 8)' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields regions list'
            printf '%s\n' 'id' \
                'label' \
                'country' \
                'capabilities=none' \
                'status=ok|outage' \
                'resolvers.ipv4' \
                'resolvers.ipv6'
        case 'flags regions view'
            printf '%s\n' '--concurrency= Number of targets to process at once (default 8)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments regions view'
            printf '%s\n' '@regions*'
        case 'fields regions view'
            printf '%s\n' 'id' \
                'label' \
                'country' \
                'capabilities=none' \
                'status=ok|outage' \
                'resolvers.ipv4' \
                'resolvers.ipv6'
        case 'flags regions availability'
            printf '%s\n' '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--page= Read this page only' \
                '--page-size= Results per request; the API documents 25 to 500' \
                '--concurrency= Number of pages to read at once (default 8)' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments regions availability'
            printf '%s\n' '@regions'
        case 'fields regions availability'
            printf '%s\n' 'region=@regions' \
                'plan' \
                'available=true|false'
        case 'commands firewalls'
            printf '%s\n' 'list,ls List the firewalls' \
                'create,add Create a firewall; it is enabled at once' \
                'view,get,show,describe Show a firewall with its rules' \
                'update,set Change label, status or tags of a firewall' \
                'enable Enable firewalls' \
                'disable Disable firewalls; they keep rules and devices' \
                'delete,rm,remove Delete a firewall; its services lose their protection' \
                'open Allow an address temporarily or during a command' \
                'close Close temporary openings early' \
                'sweep Close expired temporary openings' \
                'test Simulate a packet and show the deciding rule' \
                'devices,device Services assigned to a firewall' \
                'rules,rule Rules and policies of a firewall'
        case 'flags firewalls list'
            printf '%s\n' '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--page= Read this page only' \
                '--page-size= Results per request; the API documents 25 to 500' \
                '--concurrency= Number of pages to read at once (default 8)' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields firewalls list'
            printf '%s\n' 'id' \
                'label' \
                'status=enabled|disabled|deleted' \
                'rules.inbound=none' \
                'rules.inbound_policy=ACCEPT|DROP' \
                'rules.outbound=none' \
                'rules.outbound_policy=ACCEPT|DROP' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags firewalls create'
            printf '%s\n' '--label= Label of the firewall, unique; 3 to 32 letters, digits and - _ . between them (required)' \
                '--tag,--tags*= Tags to organize by (repeatable, or a,b)' \
                '--file=@files JSON or YAML file of the rules, - is stdin' \
                '--inbound-policy=accept|drop If no inbound rule matches: accept or drop (required, here or in the file)' \
                '--outbound-policy=accept|drop If no outbound rule matches: accept or drop (required, here or in the file)' \
                '--compute-id*=,@computes Compute instances to protect (repeatable, or a,b)' \
                '--balancer-id=@balancers The one balancer to protect' \
                '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)' \
                '--allow-lockout Allow changes that block traffic of --keep-open' \
                '--if-absent Use the existing one with this label if it matches' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields firewalls create'
            printf '%s\n' 'id' \
                'label' \
                'status=enabled|disabled|deleted' \
                'rules.inbound=none' \
                'rules.inbound_policy=ACCEPT|DROP' \
                'rules.outbound=none' \
                'rules.outbound_policy=ACCEPT|DROP' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags firewalls view'
            printf '%s\n' '--concurrency= Number of targets to process at once (default 8)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls view'
            printf '%s\n' '@firewalls*'
        case 'fields firewalls view'
            printf '%s\n' 'id' \
                'label' \
                'status=enabled|disabled|deleted' \
                'rules.inbound=none' \
                'rules.inbound_policy=ACCEPT|DROP' \
                'rules.outbound=none' \
                'rules.outbound_policy=ACCEPT|DROP' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags firewalls update'
            printf '%s\n' '--label= Label of the firewall, unique; 3 to 32 letters, digits and - _ . between them' \
                '--status=enabled|disabled New status: enabled, disabled' \
                '--tag,--tags*= Tags to organize by (repeatable, or a,b)' \
                '--no-tags Empty the list of tags' \
                '--add-tag*= Add a tag to the current ones (repeatable, or a,b)' \
                '--remove-tag*= Remove a tag from the current ones (repeatable, or a,b)' \
                '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)' \
                '--allow-lockout Allow changes that block traffic of --keep-open' \
                '--force Go on even if it has the tag "protected"' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls update'
            printf '%s\n' '@firewalls'
        case 'fields firewalls update'
            printf '%s\n' 'id' \
                'label' \
                'status=enabled|disabled|deleted' \
                'rules.inbound=none' \
                'rules.inbound_policy=ACCEPT|DROP' \
                'rules.outbound=none' \
                'rules.outbound_policy=ACCEPT|DROP' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags firewalls enable'
            printf '%s\n' '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)' \
                '--allow-lockout Allow changes that block traffic of --keep-open' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--journal=@files Record progress in a new file, so that --resume can continue' \
                '--resume=@files Continue from that file; nothing is done twice' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls enable'
            printf '%s\n' '@firewalls*'
        case 'fields firewalls enable'
            printf '%s\n' 'id' \
                'label' \
                'status=enabled|disabled|deleted' \
                'rules.inbound=none' \
                'rules.inbound_policy=ACCEPT|DROP' \
                'rules.outbound=none' \
                'rules.outbound_policy=ACCEPT|DROP' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags firewalls disable'
            printf '%s\n' '--force Go on even if it has the tag "protected"' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--journal=@files Record progress in a new file, so that --resume can continue' \
                '--resume=@files Continue from that file; nothing is done twice' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls disable'
            printf '%s\n' '@firewalls*'
        case 'fields firewalls disable'
            printf '%s\n' 'id' \
                'label' \
                'status=enabled|disabled|deleted' \
                'rules.inbound=none' \
                'rules.inbound_policy=ACCEPT|DROP' \
                'rules.outbound=none' \
                'rules.outbound_policy=ACCEPT|DROP' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags firewalls delete'
            printf '%s\n' '--if-present Succeed if the resource does not exist' \
                '--force Go on even if it has the tag "protected"' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--journal=@files Record progress in a new file, so that --resume can continue' \
                '--resume=@files Continue from that file; nothing is done twice' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls delete'
            printf '%s\n' '@firewalls*'
        case 'fields firewalls delete'
            printf '%s\n' 'id' \
                'label' \
                'status=enabled|disabled|deleted' \
                'rules.inbound=none' \
                'rules.inbound_policy=ACCEPT|DROP' \
                'rules.outbound=none' \
                'rules.outbound_policy=ACCEPT|DROP' \
                'tags=none' \
                'created' \
                'updated'
        case 'flags firewalls open'
            printf '%s\n' '--port= Ports to open, such as 22 or 80,443' \
                '--protocol=tcp|udp|icmp|ipencap tcp, udp, icmp or ipencap (default tcp)' \
                '--from*= Addresses, networks or their names, or anywhere (repeatable, or a,b) (required)' \
                '--for= Duration, such as 30m (default with a command: 24h)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls open'
            printf '%s\n' '@firewalls' \
                '*'
        case 'flags firewalls close'
            printf '%s\n' '--from*= Close only openings from these addresses, networks or their names (repeatable, or a,b)' \
                '--mark*= Close only the openings with these marks (repeatable, or a,b)' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls close'
            printf '%s\n' '@firewalls*'
        case 'flags firewalls sweep'
            printf '%s\n' '--concurrency= Number of targets to process at once (default 8)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls sweep'
            printf '%s\n' '@firewalls*'
        case 'flags firewalls test'
            printf '%s\n' '--file=@files Test the rules of this file, - is stdin, without asking the service' \
                '--cases=@files Test all cases of a JSON or YAML file, - is stdin' \
                '--direction=inbound|outbound inbound, or outbound (default with --to)' \
                '--protocol=tcp|udp|icmp|ipencap tcp, udp, icmp or ipencap (default with --port: tcp)' \
                '--port= Destination port, with tcp and udp' \
                '--from= Source address of an inbound packet' \
                '--to= Destination address of an outbound packet' \
                '--service=compute|balancer compute, or balancer: there only inbound TCP is filtered (default: those that it protects)' \
                '--expect=ACCEPT|DROP Exit with 13 if the verdict is another' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls test'
            printf '%s\n' '@firewalls'
        case 'commands firewalls devices'
            printf '%s\n' 'list,ls List the services of a firewall' \
                'add,create Assign a firewall to an instance or balancer' \
                'view,get,show,describe Show a service of a firewall' \
                'delete,rm,remove Remove a firewall from a service'
        case 'flags firewalls devices list'
            printf '%s\n' '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--page= Read this page only' \
                '--page-size= Results per request; the API documents 25 to 500' \
                '--concurrency= Number of pages to read at once (default 8)' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls devices list'
            printf '%s\n' '@firewalls'
        case 'fields firewalls devices list'
            printf '%s\n' 'id' \
                'entity.id' \
                'entity.label=none' \
                'entity.type=compute|balancer' \
                'entity.url' \
                'created' \
                'updated'
        case 'flags firewalls devices add'
            printf '%s\n' '--compute-id*=,@computes Compute instances to protect (repeatable, or a,b)' \
                '--balancer-id=@balancers Balancer to protect: its inbound TCP traffic' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)' \
                '--allow-lockout Allow changes that block traffic of --keep-open' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls devices add'
            printf '%s\n' '@firewalls'
        case 'fields firewalls devices add'
            printf '%s\n' 'id' \
                'entity.id' \
                'entity.label=none' \
                'entity.type=compute|balancer' \
                'entity.url' \
                'created' \
                'updated'
        case 'flags firewalls devices view'
            printf '%s\n' '--concurrency= Number of targets to process at once (default 8)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls devices view'
            printf '%s\n' '@firewalls' \
                '*'
        case 'fields firewalls devices view'
            printf '%s\n' 'id' \
                'entity.id' \
                'entity.label=none' \
                'entity.type=compute|balancer' \
                'entity.url' \
                'created' \
                'updated'
        case 'flags firewalls devices delete'
            printf '%s\n' '--compute-id*=,@computes Compute instances to protect no longer (repeatable, or a,b)' \
                '--balancer-id=@balancers Balancer to protect no longer' \
                '--if-present Succeed if the resource does not exist' \
                '--force Go on even if it has the tag "protected"' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--journal=@files Record progress in a new file, so that --resume can continue' \
                '--resume=@files Continue from that file; nothing is done twice' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls devices delete'
            printf '%s\n' '@firewalls' \
                '*'
        case 'fields firewalls devices delete'
            printf '%s\n' 'id' \
                'entity.id' \
                'entity.label=none' \
                'entity.type=compute|balancer' \
                'entity.url' \
                'created' \
                'updated'
        case 'commands firewalls rules'
            printf '%s\n' 'list,ls Show the rules and policies of a firewall' \
                'update,set,replace Replace the rules and policies of a firewall' \
                'diff Compare firewall rules with a file' \
                'edit Change firewall rules in your editor' \
                'add Add a rule to a firewall' \
                'remove,rm,delete Remove rules from a firewall' \
                'move,mv Move a firewall rule to another position' \
                'undo Undo the last change of firewall rules'
        case 'flags firewalls rules list'
            printf '%s\n' '--hash Print only the hash of the rules, for --if-match' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls rules list'
            printf '%s\n' '@firewalls'
        case 'flags firewalls rules update'
            printf '%s\n' '--file,--body=@files JSON or YAML file of the rules, - is stdin' \
                '--inbound-policy=accept|drop If no inbound rule matches: accept or drop' \
                '--outbound-policy=accept|drop If no outbound rule matches: accept or drop' \
                '--if-match= Fail if the rules have changed since this hash' \
                '--no-validate Skip client-side validation' \
                '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)' \
                '--allow-lockout Allow changes that block traffic of --keep-open' \
                '--confirm-within= Restore the previous rules unless the change is confirmed within this time' \
                '--keep-if= Keep the change only if this shell command succeeds in time (default: 90s)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas' \
                '--force Go on even if it has the tag "protected"'
        case 'arguments firewalls rules update'
            printf '%s\n' '@firewalls'
        case 'flags firewalls rules diff'
            printf '%s\n' '--file,--body=@files JSON or YAML file of the rules, - is stdin' \
                '--inbound-policy=accept|drop If no inbound rule matches: accept or drop' \
                '--outbound-policy=accept|drop If no outbound rule matches: accept or drop' \
                '--exit-code Exit with 13 if there are differences' \
                '--no-validate Skip client-side validation' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls rules diff'
            printf '%s\n' '@firewalls'
        case 'flags firewalls rules edit'
            printf '%s\n' '--no-validate Skip client-side validation' \
                '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)' \
                '--allow-lockout Allow changes that block traffic of --keep-open' \
                '--confirm-within= Restore the previous rules unless the change is confirmed within this time' \
                '--keep-if= Keep the change only if this shell command succeeds in time (default: 90s)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas' \
                '--force Go on even if it has the tag "protected"'
        case 'arguments firewalls rules edit'
            printf '%s\n' '@firewalls'
        case 'flags firewalls rules add'
            printf '%s\n' '--action=accept|drop accept or drop (required)' \
                '--protocol=tcp|udp|icmp|ipencap tcp, udp, icmp or ipencap (required)' \
                '--port= Ports such as 22,80-90, for tcp and udp (default: all)' \
                '--from*= Sources of inbound traffic (repeatable, or a,b)' \
                '--to*= Destinations of outbound traffic (repeatable, or a,b)' \
                '--label= Name of the rule, 3 to 32 characters' \
                '--description= Description of the rule, up to 100 characters' \
                '--at= Position of the new rule, counted from 1' \
                '--file,--body=@files JSON or YAML of a rule or a list, or NDJSON, - is stdin; flags override it' \
                '--if-absent Skip rules that already exist, whatever their label' \
                '--if-match= Fail if the rules have changed since this hash' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--no-validate Skip client-side validation' \
                '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)' \
                '--allow-lockout Allow changes that block traffic of --keep-open' \
                '--confirm-within= Restore the previous rules unless the change is confirmed within this time' \
                '--keep-if= Keep the change only if this shell command succeeds in time (default: 90s)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas' \
                '--force Go on even if it has the tag "protected"'
        case 'arguments firewalls rules add'
            printf '%s\n' '@firewalls' \
                'inbound|outbound' \
                '@firewalls*'
        case 'flags firewalls rules remove'
            printf '%s\n' '--if-present Succeed if the resource does not exist' \
                '--if-match= Fail if the rules have changed since this hash' \
                '--no-validate Skip client-side validation' \
                '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)' \
                '--allow-lockout Allow changes that block traffic of --keep-open' \
                '--confirm-within= Restore the previous rules unless the change is confirmed within this time' \
                '--keep-if= Keep the change only if this shell command succeeds in time (default: 90s)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas' \
                '--force Go on even if it has the tag "protected"'
        case 'arguments firewalls rules remove'
            printf '%s\n' '@firewalls' \
                'inbound|outbound' \
                '@rules*'
        case 'flags firewalls rules move'
            printf '%s\n' '--at= New position, counted from 1 (required)' \
                '--if-match= Fail if the rules have changed since this hash' \
                '--no-validate Skip client-side validation' \
                '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)' \
                '--allow-lockout Allow changes that block traffic of --keep-open' \
                '--confirm-within= Restore the previous rules unless the change is confirmed within this time' \
                '--keep-if= Keep the change only if this shell command succeeds in time (default: 90s)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas' \
                '--force Go on even if it has the tag "protected"'
        case 'arguments firewalls rules move'
            printf '%s\n' '@firewalls' \
                'inbound|outbound' \
                '@rules'
        case 'flags firewalls rules undo'
            printf '%s\n' '--force Undo even if the rules have changed since' \
                '--no-validate Skip client-side validation' \
                '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)' \
                '--allow-lockout Allow changes that block traffic of --keep-open' \
                '--confirm-within= Restore the previous rules unless the change is confirmed within this time' \
                '--keep-if= Keep the change only if this shell command succeeds in time (default: 90s)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments firewalls rules undo'
            printf '%s\n' '@firewalls'
        case 'commands ips'
            printf '%s\n' 'list,ls List the addresses, without the private ones' \
                'view,get,show,describe Show an address' \
                'allocate,create,add Allocate an IPv4 address to a compute instance' \
                'assign Assign addresses and ranges to compute instances' \
                'share Set the addresses shared with an instance' \
                'rdns Set the reverse DNS of an address'
        case 'flags ips list'
            printf '%s\n' '--region=@regions Only addresses of this region' \
                '--compute-id=@computes Only addresses of this compute instance' \
                '--skip-ipv6-rdns Leave out the reverse DNS of IPv6 addresses, which is faster' \
                '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--page= Read this page only' \
                '--page-size= Results per request; the API documents 25 to 500' \
                '--concurrency= Number of pages to read at once (default 8)' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields ips list'
            printf '%s\n' 'address' \
                'type=ipv4|ipv6|ipv6/pool|ipv6/range' \
                'public=true|false' \
                'compute_id=none' \
                'region=@regions' \
                'rdns=none' \
                'gateway=none' \
                'subnet_mask=none' \
                'prefix' \
                'vpc_nat_1_1.address=none' \
                'vpc_nat_1_1.subnet_id=none' \
                'vpc_nat_1_1.vpc_id=none'
        case 'flags ips view'
            printf '%s\n' '--concurrency= Number of targets to process at once (default 8)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments ips view'
            printf '%s\n' '*'
        case 'fields ips view'
            printf '%s\n' 'address' \
                'type=ipv4|ipv6|ipv6/pool|ipv6/range' \
                'public=true|false' \
                'compute_id=none' \
                'region=@regions' \
                'rdns=none' \
                'gateway=none' \
                'subnet_mask=none' \
                'prefix' \
                'vpc_nat_1_1.address=none' \
                'vpc_nat_1_1.subnet_id=none' \
                'vpc_nat_1_1.vpc_id=none'
        case 'flags ips allocate'
            printf '%s\n' '--compute-id=@computes Compute instance that gets it (required)' \
                '--public Reachable from outside' \
                '--no-public Reachable from outside' \
                '--private Not reachable from outside; an instance has at most one' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields ips allocate'
            printf '%s\n' 'address' \
                'type=ipv4|ipv6|ipv6/pool|ipv6/range' \
                'public=true|false' \
                'compute_id=none' \
                'region=@regions' \
                'rdns=none' \
                'gateway=none' \
                'subnet_mask=none' \
                'prefix' \
                'vpc_nat_1_1.address=none' \
                'vpc_nat_1_1.subnet_id=none' \
                'vpc_nat_1_1.vpc_id=none'
        case 'flags ips assign'
            printf '%s\n' '--region=@regions Region of all addresses and instances (default: that of the first address)' \
                '--family=ipv4 ipv4 uses the older endpoint, with the same result' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments ips assign'
            printf '%s\n' '*'
        case 'flags ips share'
            printf '%s\n' '--compute-id=@computes Compute instance that may use them as well (required)' \
                '--none End all sharing with it' \
                '--family=ipv4 ipv4 uses the older endpoint, with the same result' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments ips share'
            printf '%s\n' '*'
        case 'flags ips rdns'
            printf '%s\n' '--reset Restore the default name' \
                '--body=@files JSON, YAML or NDJSON body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--journal=@files Record progress in a new file, so that --resume can continue' \
                '--resume=@files Continue from that file; nothing is done twice' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments ips rdns'
            printf '%s\n' '' \
                ''
        case 'fields ips rdns'
            printf '%s\n' 'address' \
                'type=ipv4|ipv6|ipv6/pool|ipv6/range' \
                'public=true|false' \
                'compute_id=none' \
                'region=@regions' \
                'rdns=none' \
                'gateway=none' \
                'subnet_mask=none' \
                'prefix' \
                'vpc_nat_1_1.address=none' \
                'vpc_nat_1_1.subnet_id=none' \
                'vpc_nat_1_1.vpc_id=none'
        case 'commands ipv6'
            printf '%s\n' 'pools,pool Blocks of IPv6 addresses for all compute instances of a region' \
                'ranges,range Blocks of IPv6 addresses, each routed to a compute instance'
        case 'commands ipv6 pools'
            printf '%s\n' 'list,ls List the IPv6 pools'
        case 'flags ipv6 pools list'
            printf '%s\n' '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--page= Read this page only' \
                '--page-size= Results per request; the API documents 25 to 500' \
                '--concurrency= Number of pages to read at once (default 8)' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields ipv6 pools list'
            printf '%s\n' 'range' \
                'prefix' \
                'region=@regions' \
                'route_target=none'
        case 'commands ipv6 ranges'
            printf '%s\n' 'list,ls List the IPv6 ranges' \
                'create,add Create an IPv6 range routed to an instance' \
                'view,get,show,describe Show an IPv6 range and its targets' \
                'delete,rm,remove Delete an IPv6 range; its addresses are lost'
        case 'flags ipv6 ranges list'
            printf '%s\n' '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--page= Read this page only' \
                '--page-size= Results per request; the API documents 25 to 500' \
                '--concurrency= Number of pages to read at once (default 8)' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields ipv6 ranges list'
            printf '%s\n' 'range' \
                'prefix' \
                'region=@regions' \
                'route_target=none'
        case 'flags ipv6 ranges create'
            printf '%s\n' '--prefix-length=56|64 Prefix length: 56 or 64 (required)' \
                '--compute-id=@computes Compute instance that the range is routed to' \
                '--route-target= SLAAC address that the range is routed to' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields ipv6 ranges create'
            printf '%s\n' 'range' \
                'route_target'
        case 'flags ipv6 ranges view'
            printf '%s\n' '--concurrency= Number of targets to process at once (default 8)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments ipv6 ranges view'
            printf '%s\n' '*'
        case 'fields ipv6 ranges view'
            printf '%s\n' 'range' \
                'prefix' \
                'region=@regions' \
                'is_bgp=true|false' \
                'computes=none'
        case 'flags ipv6 ranges delete'
            printf '%s\n' '--if-present Succeed if the resource does not exist' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--journal=@files Record progress in a new file, so that --resume can continue' \
                '--resume=@files Continue from that file; nothing is done twice' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments ipv6 ranges delete'
            printf '%s\n' '*'
        case 'fields ipv6 ranges delete'
            printf '%s\n' 'range' \
                'prefix' \
                'region=@regions' \
                'is_bgp=true|false' \
                'computes=none'
        case 'commands vlans'
            printf '%s\n' 'list,ls List the VLANs'
        case 'flags vlans list'
            printf '%s\n' '--region=@regions Only VLANs of this region' \
                '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--page= Read this page only' \
                '--page-size= Results per request; the API documents 25 to 500' \
                '--concurrency= Number of pages to read at once (default 8)' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields vlans list'
            printf '%s\n' 'label' \
                'region=@regions' \
                'computes=none' \
                'created'
        case 'commands profile'
            printf '%s\n' 'view,get,show,describe Show your profile' \
                'update,set Change your profile' \
                'grants Show the grants of a restricted user' \
                'apps,app OAuth apps with access to the account' \
                'devices,device Trusted devices, which need no code' \
                'logins,login Logins of the last 90 days' \
                'phone The verified phone number' \
                'preferences,preference Preferences of the user for this OAuth client' \
                'security-questions,security-question Security questions and your answers' \
                'sshkeys,sshkey,ssh-keys,ssh-key SSH public keys for new compute instances' \
                'tfa Two-factor authentication'
        case 'flags profile view'
            printf '%s\n' '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields profile view'
            printf '%s\n' 'username' \
                'uid' \
                'email' \
                'authentication_type=password|idp' \
                'restricted=true|false' \
                'two_factor_auth=true|false' \
                'email_notifications=true|false' \
                'ip_whitelist_enabled=true|false' \
                'shell_auth_method=password_keys|keys_only|disabled' \
                'authorized_keys=none' \
                'timezone' \
                'verified_phone_number=none' \
                'referrals.code=none' \
                'referrals.url=none' \
                'referrals.total=none' \
                'referrals.completed=none' \
                'referrals.pending=none' \
                'referrals.credit=none'
        case 'flags profile update'
            printf '%s\n' '--email= Address used for communication; fixed for a proxy user' \
                '--email-notifications Send email about account activity; business-critical email is always sent' \
                '--no-email-notifications Send email about account activity; business-critical email is always sent' \
                '--shell-auth-method=password_keys|keys_only|disabled Authentication methods of the remote shell: password_keys, keys_only, disabled' \
                '--timezone= Preferred time zone for display, such as Europe/Berlin' \
                '--two-factor-auth Ask for a code at logins from untrusted computers; tfa setup enables it' \
                '--no-two-factor-auth Ask for a code at logins from untrusted computers; tfa setup enables it' \
                '--restricted Limit the user to its grants' \
                '--no-restricted Limit the user to its grants' \
                '--no-ip-whitelist-enabled Deprecated: it can only be switched off' \
                '--authorized-key,--authorized-keys*= SSH public key of the remote shell, in place of the current ones (repeatable)' \
                '--authorized-keys-file=@files Read the keys from a file, one on a line; - is stdin' \
                '--no-authorized-keys Remove all keys' \
                '--add-authorized-key*= Add a key to the current ones (repeatable)' \
                '--remove-authorized-key*= Remove a key from the current ones (repeatable)' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields profile update'
            printf '%s\n' 'username' \
                'uid' \
                'email' \
                'authentication_type=password|idp' \
                'restricted=true|false' \
                'two_factor_auth=true|false' \
                'email_notifications=true|false' \
                'ip_whitelist_enabled=true|false' \
                'shell_auth_method=password_keys|keys_only|disabled' \
                'authorized_keys=none' \
                'timezone' \
                'verified_phone_number=none' \
                'referrals.code=none' \
                'referrals.url=none' \
                'referrals.total=none' \
                'referrals.completed=none' \
                'referrals.pending=none' \
                'referrals.credit=none'
        case 'flags profile grants'
            printf '%s\n' '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'commands profile apps'
            printf '%s\n' 'list,ls List the OAuth apps with account access' \
                'view,get,show,describe Show an authorized app' \
                'revoke,delete,rm,remove Revoke the access of an app'
        case 'flags profile apps list'
            printf '%s\n' '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--page= Read this page only' \
                '--page-size= Results per request; the API documents 25 to 500' \
                '--concurrency= Number of pages to read at once (default 8)' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields profile apps list'
            printf '%s\n' 'id' \
                'label' \
                'scopes' \
                'website' \
                'thumbnail_url=none' \
                'created' \
                'expiry=none'
        case 'flags profile apps view'
            printf '%s\n' '--concurrency= Number of targets to process at once (default 8)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments profile apps view'
            printf '%s\n' '@apps*'
        case 'fields profile apps view'
            printf '%s\n' 'id' \
                'label' \
                'scopes' \
                'website' \
                'thumbnail_url=none' \
                'created' \
                'expiry=none'
        case 'flags profile apps revoke'
            printf '%s\n' '--force Revoke it even if the current token may belong to it' \
                '--if-present Succeed if the resource does not exist' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--journal=@files Record progress in a new file, so that --resume can continue' \
                '--resume=@files Continue from that file; nothing is done twice' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments profile apps revoke'
            printf '%s\n' '@apps*'
        case 'fields profile apps revoke'
            printf '%s\n' 'id' \
                'label' \
                'scopes' \
                'website' \
                'thumbnail_url=none' \
                'created' \
                'expiry=none'
        case 'commands profile devices'
            printf '%s\n' 'list,ls List the trusted devices' \
                'view,get,show,describe Show a trusted device' \
                'revoke,delete,rm,remove Revoke a trusted device'
        case 'flags profile devices list'
            printf '%s\n' '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--page= Read this page only' \
                '--page-size= Results per request; the API documents 25 to 500' \
                '--concurrency= Number of pages to read at once (default 8)' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields profile devices list'
            printf '%s\n' 'id' \
                'user_agent' \
                'last_remote_addr' \
                'last_authenticated' \
                'created' \
                'expiry'
        case 'flags profile devices view'
            printf '%s\n' '--concurrency= Number of targets to process at once (default 8)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments profile devices view'
            printf '%s\n' '*'
        case 'fields profile devices view'
            printf '%s\n' 'id' \
                'user_agent' \
                'last_remote_addr' \
                'last_authenticated' \
                'created' \
                'expiry'
        case 'flags profile devices revoke'
            printf '%s\n' '--if-present Succeed if the resource does not exist' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--journal=@files Record progress in a new file, so that --resume can continue' \
                '--resume=@files Continue from that file; nothing is done twice' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments profile devices revoke'
            printf '%s\n' '*'
        case 'fields profile devices revoke'
            printf '%s\n' 'id' \
                'user_agent' \
                'last_remote_addr' \
                'last_authenticated' \
                'created' \
                'expiry'
        case 'commands profile logins'
            printf '%s\n' 'list,ls List logins of 90 days with their addresses' \
                'view,get,show,describe Show a login'
        case 'flags profile logins list'
            printf '%s\n' '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--page= Read this page only' \
                '--page-size= Results per request; the API documents 25 to 500' \
                '--concurrency= Number of pages to read at once (default 8)' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields profile logins list'
            printf '%s\n' 'id' \
                'datetime' \
                'ip' \
                'username' \
                'restricted=true|false' \
                'status=successful|failed'
        case 'flags profile logins view'
            printf '%s\n' '--concurrency= Number of targets to process at once (default 8)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments profile logins view'
            printf '%s\n' '*'
        case 'fields profile logins view'
            printf '%s\n' 'id' \
                'datetime' \
                'ip' \
                'username' \
                'restricted=true|false' \
                'status=successful|failed'
        case 'commands profile phone'
            printf '%s\n' 'setup Verify a phone number, step by step' \
                'send Send a verification code to a phone number' \
                'verify Verify a phone number with its code' \
                'delete,rm,remove Remove the verified phone number'
        case 'flags profile phone send'
            printf '%s\n' '--iso-code= Two-letter ISO 3166 country code of the number (required)' \
                '--phone-number= Phone number (required)' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing'
        case 'flags profile phone verify'
            printf '%s\n' '--otp-code= Code from the message (required)' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing'
        case 'flags profile phone delete'
            printf '%s\n' '--if-present Succeed if the resource does not exist' \
                '--dry-run Print the request and send nothing'
        case 'commands profile preferences'
            printf '%s\n' 'view,get,show,describe Show the preferences of this OAuth client' \
                'set,update Replace the preferences of this OAuth client' \
                'edit Change the preferences in an editor'
        case 'flags profile preferences view'
            printf '%s\n' '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'flags profile preferences set'
            printf '%s\n' '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'flags profile preferences edit'
            printf '%s\n' '--dry-run Print the request and send nothing' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'commands profile security-questions'
            printf '%s\n' 'list,ls List the security questions and your answers' \
                'answer,set Answer three security questions'
        case 'flags profile security-questions list'
            printf '%s\n' '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields profile security-questions list'
            printf '%s\n' 'security_questions=none'
        case 'flags profile security-questions answer'
            printf '%s\n' '--show-answers Show the answers while typing' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields profile security-questions answer'
            printf '%s\n' 'security_questions=none'
        case 'commands profile sshkeys'
            printf '%s\n' 'list,ls List the SSH keys of the profile' \
                'add,create Add an SSH public key to the profile' \
                'view,get,show,describe Show an SSH key' \
                'update,set Change the label of an SSH key' \
                'delete,rm,remove Delete an SSH key; instances keep their copies'
        case 'flags profile sshkeys list'
            printf '%s\n' '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--page= Read this page only' \
                '--page-size= Results per request; the API documents 25 to 500' \
                '--concurrency= Number of pages to read at once (default 8)' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields profile sshkeys list'
            printf '%s\n' 'id' \
                'label' \
                'ssh_key' \
                'created'
        case 'flags profile sshkeys add'
            printf '%s\n' '--label= Label of the key (required)' \
                '--file=@files Read the public key from a file; - is stdin' \
                '--ssh-key= The public key itself, as in a file that ends with .pub; - is stdin' \
                '--if-absent Use the existing one with this label if it matches' \
                '--allow-duplicate Allow a label that is already in use' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields profile sshkeys add'
            printf '%s\n' 'id' \
                'label' \
                'ssh_key' \
                'created'
        case 'flags profile sshkeys view'
            printf '%s\n' '--concurrency= Number of targets to process at once (default 8)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments profile sshkeys view'
            printf '%s\n' '@sshkeys*'
        case 'fields profile sshkeys view'
            printf '%s\n' 'id' \
                'label' \
                'ssh_key' \
                'created'
        case 'flags profile sshkeys update'
            printf '%s\n' '--label= Label of the key (required)' \
                '--allow-duplicate Allow a label that is already in use' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments profile sshkeys update'
            printf '%s\n' '@sshkeys'
        case 'fields profile sshkeys update'
            printf '%s\n' 'id' \
                'label' \
                'ssh_key' \
                'created'
        case 'flags profile sshkeys delete'
            printf '%s\n' '--if-present Succeed if the resource does not exist' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--journal=@files Record progress in a new file, so that --resume can continue' \
                '--resume=@files Continue from that file; nothing is done twice' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments profile sshkeys delete'
            printf '%s\n' '@sshkeys*'
        case 'fields profile sshkeys delete'
            printf '%s\n' 'id' \
                'label' \
                'ssh_key' \
                'created'
        case 'commands profile tfa'
            printf '%s\n' 'setup Switch two-factor authentication on, step by step' \
                'enable Create a two-factor secret, which must be confirmed' \
                'confirm Switch two-factor authentication on with a code' \
                'disable Switch two-factor authentication off'
        case 'flags profile tfa setup'
            printf '%s\n' '--scratch-file=@files Write the scratch code to a private file instead of showing it' \
                '--force Replace an existing file' \
                '--qr=utf8|ascii|none Draw the QR code as utf8, ascii or none' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'flags profile tfa enable'
            printf '%s\n' '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields profile tfa enable'
            printf '%s\n' 'secret' \
                'expiry'
        case 'flags profile tfa confirm'
            printf '%s\n' '--tfa-code= Current code from the authenticator app (required)' \
                '--scratch-file=@files Write the scratch code to a private file instead of showing it' \
                '--force Replace an existing file' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields profile tfa confirm'
            printf '%s\n' 'scratch'
        case 'flags profile tfa disable'
            printf '%s\n' '--dry-run Print the request and send nothing'
        case 'commands tokens'
            printf '%s\n' 'list,ls List your personal access tokens' \
                'create,add Create a personal access token' \
                'view,get,show,describe Show a personal access token' \
                'update,set Change the label of a personal access token' \
                'revoke,delete,rm,remove Revoke a personal access token' \
                'rotate Replace a token with a new one'
        case 'flags tokens list'
            printf '%s\n' '--expiring= Only tokens that expire within this time, such as 14d' \
                '--superseded Only replaced tokens with a grace period' \
                '--due With --superseded, only tokens whose grace period is over' \
                '--exit-code Exit with 13 if --expiring finds tokens' \
                '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--page= Read this page only' \
                '--page-size= Results per request; the API documents 25 to 500' \
                '--concurrency= Number of pages to read at once (default 8)' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields tokens list'
            printf '%s\n' 'id' \
                'label' \
                'scopes' \
                'created' \
                'expiry=none' \
                'token'
        case 'flags tokens create'
            printf '%s\n' '--label= Label of the token (required)' \
                '--scope,--scopes*=,*|account:read_only|account:read_write|child_account:read_only|child_account:read_write|computes:read_only|computes:read_write|databases:read_only|databases:read_write|domains:read_only|domains:read_write|events:read_only|events:read_write|firewall:read_only|firewall:read_write|images:read_only|images:read_write|ips:read_only|ips:read_write|monitor:read_only|monitor:read_write|balancers:read_only|balancers:read_write|object_storage:read_only|object_storage:read_write|scripts:read_only|scripts:read_write|volumes:read_only|volumes:read_write|vpc:read_only|vpc:read_write|ips:read Scope, such as volumes:read_only; * is everything (repeatable, or a,b)' \
                '--scopes-for*=,volumes+list|volumes+create|volumes+view|volumes+update|volumes+delete|volumes+attach|volumes+detach|volumes+resize|volumes+clone|volumes+wait|regions+list|regions+view|regions+availability|firewalls+list|firewalls+create|firewalls+view|firewalls+update|firewalls+enable|firewalls+disable|firewalls+delete|firewalls+open|firewalls+close|firewalls+sweep|firewalls+test|firewalls+devices+list|firewalls+devices+add|firewalls+devices+view|firewalls+devices+delete|firewalls+rules+list|firewalls+rules+update|firewalls+rules+diff|firewalls+rules+edit|firewalls+rules+add|firewalls+rules+remove|firewalls+rules+move|firewalls+rules+undo|ips+list|ips+view|ips+allocate|ips+assign|ips+share|ips+rdns|ipv6+pools+list|ipv6+ranges+list|ipv6+ranges+create|ipv6+ranges+view|ipv6+ranges+delete|vlans+list|profile+view|profile+update|profile+grants|profile+apps+list|profile+apps+view|profile+apps+revoke|profile+devices+list|profile+devices+view|profile+devices+revoke|profile+logins+list|profile+logins+view|profile+phone+setup|profile+phone+send|profile+phone+verify|profile+phone+delete|profile+preferences+view|profile+preferences+set|profile+preferences+edit|profile+security-questions+list|profile+security-questions+answer|profile+sshkeys+list|profile+sshkeys+add|profile+sshkeys+view|profile+sshkeys+update|profile+sshkeys+delete|profile+tfa+setup|profile+tfa+enable|profile+tfa+confirm|profile+tfa+disable|tokens+list|tokens+create|tokens+view|tokens+update|tokens+revoke|tokens+rotate|export|plan|apply|overview|audit|doctor|auth+status Scopes that this command needs, such as "volumes create" (repeatable, or a,b)' \
                '--expiry= Expiry: 90d, 12h, 2027-01-31, 2027-01-31T12:00:00 (UTC), or never' \
                '--output-file=@files Write the token to a private file instead of showing it' \
                '--force Replace an existing file' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields tokens create'
            printf '%s\n' 'id' \
                'label' \
                'scopes' \
                'created' \
                'expiry=none' \
                'token'
        case 'flags tokens view'
            printf '%s\n' '--concurrency= Number of targets to process at once (default 8)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments tokens view'
            printf '%s\n' '@tokens*'
        case 'fields tokens view'
            printf '%s\n' 'id' \
                'label' \
                'scopes' \
                'created' \
                'expiry=none' \
                'token'
        case 'flags tokens update'
            printf '%s\n' '--label= Label of the token (required)' \
                '--body=@files JSON or YAML body, - is stdin; flags override it' \
                '--no-validate Skip client-side validation' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments tokens update'
            printf '%s\n' '@tokens'
        case 'fields tokens update'
            printf '%s\n' 'id' \
                'label' \
                'scopes' \
                'created' \
                'expiry=none' \
                'token'
        case 'flags tokens revoke'
            printf '%s\n' '--force Revoke it even if it is the current token' \
                '--if-present Succeed if the resource does not exist' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--journal=@files Record progress in a new file, so that --resume can continue' \
                '--resume=@files Continue from that file; nothing is done twice' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments tokens revoke'
            printf '%s\n' '@tokens*'
        case 'fields tokens revoke'
            printf '%s\n' 'id' \
                'label' \
                'scopes' \
                'created' \
                'expiry=none' \
                'token'
        case 'flags tokens rotate'
            printf '%s\n' '--expiry= Expiry: 90d, 12h, 2027-01-31, 2027-01-31T12:00:00 (UTC), or never' \
                '--keep-old= Leave the old token valid, and name this time, such as 24h, to revoke it' \
                '--output-file=@files Write the token to a private file: a new one, or the one with the old token' \
                '--force Replace an existing file; without one, replace the current token although nothing stores the new one' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments tokens rotate'
            printf '%s\n' '@tokens'
        case 'fields tokens rotate'
            printf '%s\n' 'id' \
                'label' \
                'scopes' \
                'created' \
                'expiry=none' \
                'token'
        case 'flags export'
            printf '%s\n' '--owner= Set this owner in the file, for apply --prune' \
                '--filter*= Export only matching resources of one kind: tags=web-team (skyctl help filter) (repeatable)' \
                '--into=@files Add what is missing to this file, and keep its comments' \
                '--schema Print the JSON Schema of account files instead'
        case 'arguments export'
            printf '%s\n' 'volumes|firewalls|sshkeys|ips|rdns|tokens|profile*'
        case 'flags plan'
            printf '%s\n' '--only*=volumes|firewalls|sshkeys|ips|rdns|tokens|profile Only these: volumes/pgdata, volumes/log* (repeatable)' \
                '--prune Delete what has the owner\'s tag and is in no file' \
                '--adopt Add the owner\'s tag to what is in the files and lacks it' \
                '--max-deletes= Fail if --prune would delete more (default 3)' \
                '--exit-code Exit with 13 if the account differs from the files' \
                '--drift Report how the account differs, and its last changes from this machine' \
                '--out=@files Save the plan for apply in a file that only you can read' \
                '--force Replace an existing file' \
                '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)' \
                '--allow-lockout Allow changes that block traffic of --keep-open' \
                '--full Print equal changes one by one, instead of folding them' \
                '--output,-o=table|json|ndjson|yaml|csv|tsv|markdown Print as table, json, ndjson, yaml, csv, tsv, markdown' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments plan'
            printf '%s\n' '@files*'
        case 'flags apply'
            printf '%s\n' '--only*=volumes|firewalls|sshkeys|ips|rdns|tokens|profile Only these: volumes/pgdata, volumes/log* (repeatable)' \
                '--prune Delete what has the owner\'s tag and is in no file' \
                '--adopt Add the owner\'s tag to what is in the files and lacks it' \
                '--max-deletes= Fail if --prune would delete more (default 3)' \
                '--force Change protected resources, too' \
                '--outputs=@files Write the ids of all objects to a file, as JSON' \
                '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)' \
                '--allow-lockout Allow changes that block traffic of --keep-open' \
                '--concurrency= Number of targets to process at once (default 8)' \
                '--wait-timeout= Maximum time to wait, for all targets together (default 5m)' \
                '--confirm-within= Restore the previous rules unless the change is confirmed within this time' \
                '--keep-if= Keep the change only if this shell command succeeds in time (default: 90s)' \
                '--dry-run Print the plan, as skyctl plan does, and send nothing' \
                '--full Print equal changes one by one, instead of folding them' \
                '--output,-o=table|json|ndjson|yaml|csv|tsv|markdown Print as table, json, ndjson, yaml, csv, tsv, markdown' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments apply'
            printf '%s\n' '@files*'
        case 'flags overview'
            printf '%s\n' '--output,-o=table|json|ndjson|yaml|csv|tsv|mermaid Print as table, json, ndjson, yaml, csv, tsv, mermaid' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'flags audit'
            printf '%s\n' '--fail-on=critical|high|medium|low Exit with 13 for a finding of this severity or worse' \
                '--ignore=@files Leave out the exceptions in this file; - is stdin' \
                '--code*=,two-factor-off|database-port-open|admin-port-open|internal-port-open|inbound-policy-accept|unknown-protocol-open|opening-expired|instance-unprotected|balancer-unprotected|token-full-scope|ssh-key-weak|large-network-open|wide-range-open|amplifier-port-open|failed-logins|security-questions-unanswered|token-never-expires|token-expires-soon|app-write-scopes|device-trusted-long|firewall-disabled|rule-not-judged|outbound-open|rule-never-matches|firewall-unused|rule-budget|address-budget|token-long-lived|ssh-key-twice|volume-label-twice|ssh-key-label-twice|token-label-twice|volume-unattached|address-without-rdns Run only these checks (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'flags doctor'
            printf '%s\n' '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'commands history'
            printf '%s\n' 'list,ls List changes made from this machine, newest first' \
                'view,get,show,describe Show a change and the state before it' \
                'undo Undo one change or a whole apply' \
                'clear Remove the history of this machine'
        case 'flags history list'
            printf '%s\n' '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)' \
                '--limit= Maximum number of results' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'fields history list'
            printf '%s\n' 'number' \
                'time' \
                'context=none' \
                'service' \
                'uid=none' \
                'username=none' \
                'command' \
                'apply=none' \
                'method' \
                'path' \
                'kind=none' \
                'id=none' \
                'label=none' \
                'outcome=ok|failed|unknown' \
                'code=none' \
                'status=none' \
                'request_ids=none' \
                'next=none' \
                'undo=none' \
                'no_undo=none'
        case 'flags history view'
            printf '%s\n' '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments history view'
            printf '%s\n' ''
        case 'fields history view'
            printf '%s\n' 'number' \
                'time' \
                'context=none' \
                'service' \
                'uid=none' \
                'username=none' \
                'command' \
                'apply=none' \
                'method' \
                'path' \
                'kind=none' \
                'id=none' \
                'label=none' \
                'outcome=ok|failed|unknown' \
                'code=none' \
                'status=none' \
                'request_ids=none' \
                'next=none' \
                'undo=none' \
                'no_undo=none' \
                'before=none'
        case 'flags history undo'
            printf '%s\n' '--apply= Undo all changes of one apply; history list shows its id' \
                '--force Undo even if the resource has changed since or is protected' \
                '--keep-open*= Refuse a change that blocks this traffic: tcp/22@198.51.100.7 (repeatable)' \
                '--allow-lockout Allow changes that block traffic of --keep-open' \
                '--allow-duplicate Allow a label that is already in use' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments history undo'
            printf '%s\n' ''
        case 'commands auth'
            printf '%s\n' 'login Sign in with a token and store it' \
                'logout Sign out: remove the token of a context' \
                'status Show the current service, user and token'
        case 'flags auth login'
            printf '%s\n' '--with-token Read the token from stdin'
        case 'arguments auth logout'
            printf '%s\n' '@contexts'
        case 'flags auth status'
            printf '%s\n' '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'commands context'
            printf '%s\n' 'list,ls List the contexts' \
                'use Set the current context' \
                'view,get,show,describe Show a context, without its token' \
                'update,set Change defaults or token command of a context' \
                'rename Rename a context' \
                'delete,rm,remove Delete a context with its token'
        case 'flags context list'
            printf '%s\n' '--limit= Maximum number of results' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments context use'
            printf '%s\n' '@contexts'
        case 'flags context view'
            printf '%s\n' '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments context view'
            printf '%s\n' '@contexts'
        case 'flags context update'
            printf '%s\n' '--region=@regions Default region of new volumes; "" for none' \
                '--default-output=table|json|ndjson|yaml|csv|tsv Default output format; "" for none' \
                '--keep-open*= Traffic that firewall changes must not block, as tcp/22@198.51.100.7 (repeatable)' \
                '--no-keep-open Traffic that firewall changes must not block, as tcp/22@198.51.100.7 (repeatable)' \
                '--networks=@files File with names of networks, for --from office; "" for none' \
                '--token-command= Shell command that prints the token; it replaces a stored token'
        case 'arguments context update'
            printf '%s\n' '@contexts'
        case 'arguments context rename'
            printf '%s\n' '@contexts' \
                ''
        case 'arguments context delete'
            printf '%s\n' '@contexts'
        case 'flags api'
            printf '%s\n' '--body=@files Send this JSON or YAML file; - is stdin' \
                '--header,-H*= Add a header, such as \'X-Filter: {}\' (repeatable)' \
                '--paginate Read every page, and print the items as one array' \
                '--openapi Print the OpenAPI 3.1 document and send nothing' \
                '--dry-run Print the request and send nothing' \
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments api'
            printf '%s\n' 'GET|POST|PUT|DELETE' \
                ''
        case 'commands sandbox'
            printf '%s\n' 'start Run the sandbox as a server' \
                'world List the resources of the context "sandbox"' \
                'outbox List messages, such as SMS with phone codes' \
                'reset Reset the context "sandbox" to its initial state'
        case 'flags sandbox start'
            printf '%s\n' '--port= Port on loopback (default: any free port)' \
                '--state=@files Store the world in this file' \
                '--memory Keep the world in memory (the default)' \
                '--seed=@files Start with this world (JSON or YAML, as sandbox world prints it; - is stdin)' \
                '--clock= Start at this time: 2026-01-31T12:00:00 (in UTC)' \
                '--stop-clock Stop the clock until it is moved' \
                '--transition= Duration of creating, cloning and resizing (default 1000)' \
                '--latency= Delay every answer by this many milliseconds' \
                '--fail*= Fail the next requests: 429:3,500:1; 503:2:/volumes only below that path (repeatable, or a,b)' \
                '--drop-answer*= Lose the answers of the next writes: 1, or 2:/volumes only below that path (repeatable, or a,b)' \
                '--rate-limit Enforce the rate limits of the service' \
                '--strict Reject input that the service tolerates: unknown keys, null, trailing slashes in paths'
        case 'flags sandbox world'
            printf '%s\n' '--query= Choose from the JSON with a JMESPath expression'
        case 'flags sandbox outbox'
            printf '%s\n' '--limit= Maximum number of results' \
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'commands completion'
            printf '%s\n' 'bash Print the completion script for bash' \
                'zsh Print the completion script for zsh' \
                'fish Print the completion script for fish' \
                'powershell Print the completion script for PowerShell'
        case 'flags version'
            printf '%s\n' '--check Look for a newer version' \
                '--from= Address of the latest release; default: SKYCTL_RELEASES' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'commands help'
            printf '%s\n' 'volumes,volume Block storage volumes' \
                'regions,region Regions, their capabilities and available plans' \
                'firewalls,firewall Firewalls, their rules and protected services' \
                'ips,ip Addresses: allocate, assign, share, reverse DNS' \
                'ipv6 IPv6 pools and ranges' \
                'vlans,vlan Virtual local area networks' \
                'profile Your profile, SSH keys and sign-in security' \
                'tokens,token Personal access tokens' \
                'export Export the account as a file for apply' \
                'plan Preview the changes that would match the files' \
                'apply Apply the files to the account' \
                'overview Show the account on one screen or diagram' \
                'audit Check the account for security and cost problems' \
                'doctor Diagnose problems with skyctl on this machine' \
                'history Show and undo changes made from this machine' \
                'auth Sign-in, sign-out and current user' \
                'context,contexts Contexts: stored accounts and their defaults' \
                'api Send any request to the service' \
                'sandbox Embedded sandbox of the service, for tests' \
                'completion Completion for bash, zsh, fish and PowerShell' \
                'version Show the version, or find a newer one'
        case 'flags help'
            printf '%s\n' '--all Show every flag and example of the command' \
                '--limit= Maximum number of results' \
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
        case 'arguments help'
            printf '%s\n' 'account-file|bulk|environment|exit-codes|filter|flags|lockout|networks|output|references|rules-file|wait|find*'
    end
    if test $kind = flags
        printf '%s\n' '--context=@contexts Account to act on; "sandbox" is built in' \
                '--output,-o=table|json|ndjson|yaml|csv|tsv Print as table, json, ndjson, yaml, csv, tsv' \
                '--json Same as --output json' \
                '--quiet,-q Print ids only, and no messages' \
                '--yes,-y Answer every question with yes' \
                '--verbose,-v Print retries and their causes' \
                '--base-url= Address of the service, up to and including /v4' \
                '--color=auto|always|never Use colour: auto, always, never' \
                '--timeout= Time limit for a request with its retries (default 2m)' \
                '--retries= Maximum retries of requests that are safe to repeat (default 2)' \
                '--max-wait= Longest wait that the service may request (default 60s)' \
                '--debug Show requests and answers, without secrets' \
                '--debug-file=@files Append the output of --debug, with times, to a private file' \
                '--help,-h Show help'
    end
end

# Prints the row of a name among those that follow it.
function __skyctl_find --argument-names name
    for row in $argv[2..-1]
        set -l entry (string split -m 1 ' ' -- $row)[1]
        contains -- $name (string split , -- (string replace -r '[*=].*' '' -- $entry))
        and printf '%s\n' $row
        and return
    end
    return 1
end

# Prints the row of a flag as it was typed; snake_case is the same flag.
function __skyctl_flag --argument-names typed
    set -l name (string split -m 1 = -- $typed)[1]
    string match -q -- '--*' $name
    and set name (string replace -a _ - -- $name)
    __skyctl_find $name $argv[2..-1]
end

# The VALUES in a row; fails where its flag takes no value.
function __skyctl_values_of --argument-names row
    string match -q -r '^[^ ]*?=(?<values>[^ ]*)' -- $row
    and echo $values
end

# Prints the names in rows with their descriptions; aliases only where no name begins like what was typed.
function __skyctl_describe --argument-names typed
    set -l found
    for row in $argv[2..-1]
        string match -q -r '^(?<name>[^ ,*=]+)[^ ]* (?<description>.*)' -- $row
        printf '%s\t%s\n' $name $description
        test (string sub -l (string length -- $typed) -- $name) = "$typed"
        and set found 1
    end
    test -z "$found"
    or return 0
    for row in $argv[2..-1]
        string match -q -r '^[^ ,*=]+,(?<aliases>[^ *=]+)[^ ]* (?<description>.*)' -- $row
        and for alias in (string split , -- $aliases | string match -v -r '^-[^-]')
            printf '%s\t%s\n' $alias $description
        end
    end
end

# Prints VALUES, behind a prefix such as "--output="; of names, none that was used.
function __skyctl_values --argument-names values prefix typed context elsewhere path
    set -l used $argv[7..-1]
    set -l side (string replace -r '^(label|id):' '' -- "$used[1]")" $used[2] "
    string match -q '*\*' -- $values
    or set used
    set values (string replace -r '\*$' '' -- $values)
    if string match -q ',*' -- $values
        set values (string sub -s 2 -- $values)
        if string match -q -r '^(?<before>.*,)(?<last>.*)' -- $typed
            set prefix $prefix$before
            set typed $last
        end
    end
    switch $values
        case @files
            for file in (__fish_complete_path $typed)
                printf '%s\n' $prefix$file
            end
        case @columns @sort @filter
            __skyctl_fields $values "$prefix" "$typed" "$context" "$elsewhere" "$path"
        case '@*'
            # There may be thousands: nothing is called for each, and what can goes straight through.
            if test -z "$prefix$used" -a $values != @rules; and not string match -q -r '^(label:|[1-9])' -- $typed
                __skyctl_names (string sub -s 2 -- $values) "$context" "$elsewhere"
                return
            end
            set -l kept (__skyctl_names (string sub -s 2 -- $values) "$context" "$elsewhere")
            if test $values = @rules
                # Those of the firewall and the direction before the cursor, which are no rules themselves.
                set kept (string replace -f -r -- '^'(string escape --style=regex -- $side) '' $kept)
                set -q used[2]
                and set -e used[1..2]
            end
            if set -q used[1]
                set used (string replace -r '^(label|id):' '' -- $used | string escape --style=regex | string join '|')
                set kept (string match -v -r -- "^(label:)?($used)(\t|\$)|\t($used)\$" $kept)
            end
            if string match -q 'label:*' -- $typed; and not contains -- $values @regions @contexts
                set prefix $prefix'label:'
                set kept (string replace -r '^label:' '' -- (string match -e -r '^[^\t]*[^\t0-9]' -- $kept))
            else if string match -q -r '^[1-9]' -- $typed
                set kept (string replace -r '^(.*)\t([1-9][0-9]*)$' '$2\t$1' -- $kept)
            end
            set -q kept[1]
            and printf '%s\n' $prefix$kept
        case '?*'
            for value in (string split '|' -- (string replace -a + ' ' -- $values))
                printf '%s\n' $prefix$value
            end
    end
end

# Prints fields behind a prefix: "NAME=" to filter by, and behind that what the field may hold.
function __skyctl_fields --argument-names kind prefix typed context elsewhere path
    set -l rows (__skyctl_rows fields $path)
    set -l names (string replace -r '=.*' '' -- $rows)
    switch $kind
        case @columns
            set names $names all
        case @sort
            string match -q -- '-*' $typed
            and set prefix $prefix-
        case @filter
            if string match -q -r '^(?<name>[A-Za-z0-9_.]*)(?<test>[^=]*=)(?<wanted>.*)' -- $typed
                set -l row (__skyctl_find $name $rows)
                and set -l values (__skyctl_values_of $row)
                and __skyctl_values $values $prefix$name$test "$wanted" "$context" "$elsewhere" "$path"
                return
            end
            set names $names=
    end
    printf '%s\n' $prefix$names
end

# Prints the names of a kind, NAME[<tab>NOTE] on each line: at once from the file that keeps them, which is renewed
# behind one's back when it is old.
function __skyctl_names --argument-names kind context elsewhere
    test $kind = contexts -o -z "$elsewhere"
    or return
    set -l ask completion values $kind
    test -n "$context"
    and set ask $ask --context $context
    set -l file (__skyctl_kept_file $kind $context)
    if test -f "$file" -a -r "$file"
        cat $file
        test -n "$(find $file -mmin +5 2>/dev/null)"
        or return 0
        touch -c $file 2>/dev/null
        command skyctl $ask --timeout 30s </dev/null >/dev/null 2>&1 &
        disown 2>/dev/null
    else if test $kind = rules
        # Those of many firewalls: Tab does not wait for them.
        test -n "$file"
        or return
        command skyctl $ask --timeout 30s </dev/null >/dev/null 2>&1 &
        disown 2>/dev/null
    else
        command skyctl $ask --timeout 2s </dev/null 2>/dev/null
    end
end

# Prints where the names of the account in use are kept; nothing where that is nowhere, or unknown.
function __skyctl_kept_file --argument-names kind name
    set -l folder $HOME/.cache/skyctl
    string match -q '/*' -- $XDG_CACHE_HOME
    and set folder $XDG_CACHE_HOME/skyctl
    # That of macOS; to ask the system costs a process.
    test -d /System/Library
    and set folder $HOME/Library/Caches/skyctl
    if test $kind = contexts
        echo $folder/names/.contexts
        return
    end
    set -l typed $name
    test -n "$name"
    or set name $SKYCTL_CONTEXT
    if test -z "$name"
        test -f $folder/names/.current -a -r $folder/names/.current
        and read name <$folder/names/.current
        string match -q '*/*' -- $name
        and set name
    else if not string match -q -r '^[A-Za-z0-9_-][A-Za-z0-9_.-]*$' -- $name
        # How other names are encoded, skyctl itself knows best.
        set name
    end
    test -n "$typed" -o "$SKYCTL_CONTEXT" = sandbox -o -z "$SKYCTL_TOKEN$SKYCTL_TOKEN_FILE$SKYCTL_BASE_URL"
    or set name (__skyctl_account "$name")
    test -n "$name"
    and echo $folder/names/$name/$kind
end

# Prints the folder of the account that the environment names, as environmentFolder in src/account/name-cache.ts does; nothing
# where it cannot.
function __skyctl_account --argument-names name
    set -l place $SKYCTL_BASE_URL
    test -n "$place"
    or set place $name
    set -l user (string sub -l 16 -- $SKYCTL_TOKEN)
    test -n "$user"
    or set user $name
    test -z "$SKYCTL_TOKEN_FILE" -a -n "$place" -a -n "$user"
    and string match -q -r '^[ -~]+$' -- "$place $user"
    or return
    set -l sum 0
    for char in (string split '' -- "$place $user")
        set sum (math "($sum * 257 + "(printf %d "'$char")") % 17592186044399")
    end
    echo .env-$sum
end

function __skyctl_complete
    set -l typed (commandline -ct)
    set -l words (commandline -opc)
    set -l path ''
    set -l verbs (__skyctl_rows commands '')
    set -l flags (__skyctl_rows flags '')
    set -l arguments
    set -l given
    set -l flag
    set -l targets
    set -l context
    set -l elsewhere
    set -l used
    set -l position 1
    # The walk of README.md.
    for word in $words[2..-1]
        set -l value
        if test -n "$flag"
            set value $word
        else if test -z "$targets" -a "$word" = --
            set targets 1
        else if test -z "$targets"; and string match -q -r '^-.' -- $word
            set -l row (__skyctl_flag $word $flags)
            or continue
            set given $given $row
            __skyctl_values_of $row >/dev/null
            or continue
            set flag $row
            string match -q -r '^--[^=]*=(?<value>.*)' -- $word
            or continue
        else if set -l row (__skyctl_find $word $verbs)
            set -l name (string match -r '^[^ ,]+' -- $row)
            test "$path" = '' -o "$path" = help
            and set path $name
            or set path "$path $name"
            set verbs (__skyctl_rows commands $path)
            set flags (__skyctl_rows flags $path)
            set arguments (__skyctl_rows arguments $path)
            continue
        else
            set position (math $position + 1)
            set used $used $word
            test (count $verbs) -eq 0 -o (count $arguments) -gt 0
            or return
            continue
        end
        # What decides whose names are completed.
        string match -q -- '--context=*' $flag
        and set context $value
        string match -q -- '--base-url=*' $flag
        and set elsewhere 1
        set flag
    end
    if test -n "$flag"
        __skyctl_values (__skyctl_values_of $flag) '' "$typed" "$context" "$elsewhere" "$path"
    else if test -z "$targets"; and string match -q -r '^(?<prefix>--[^=]+=)(?<value>.*)' -- $typed
        set -l row (__skyctl_flag $typed $flags)
        and set -l values (__skyctl_values_of $row)
        and __skyctl_values $values $prefix "$value" "$context" "$elsewhere" "$path"
    else if test -z "$targets"; and string match -q -- '-*' $typed
        set -l left
        for row in $flags
            string match -q -r '^[^ ]*\*' -- $row
            or not contains -- $row $given
            and set left $left $row
        end
        __skyctl_describe $typed $left
    else
        __skyctl_describe "$typed" $verbs
        set -l values $arguments[$position]
        test -z "$values"; and string match -q -- '*\*' $arguments[-1]
        and set values $arguments[-1]
        test -n "$values"
        and __skyctl_values $values '' "$typed" "$context" "$elsewhere" "$path" $used
    end
end

complete -c skyctl -e
complete -c skyctl -f -a '(__skyctl_complete)'
