# PowerShell completion for skyctl, made from its commands.
#   skyctl completion powershell | Out-String | Invoke-Expression
# How the scripts of all shells work: src/generate/shells/README.md in the sources of skyctl.
#
# For Windows PowerShell 5.1 and PowerShell 7.

Register-ArgumentCompleter -Native -CommandName skyctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $places = @{
        '' = @{
            Commands = @(
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
            Flags = @(
                '--version,-V Show the version'
            )
            Arguments = @()
            Fields = @()
        }
        'volumes' = @{
            Commands = @(
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
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'volumes list' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('id', 'label', 'status=creating|active|resizing', 'size', 'region=@regions', 'compute_id=none', 'compute_label=none', 'filesystem_path', 'hardware_type=hdd|nvme', 'tags=none', 'created', 'updated')
        }
        'volumes create' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('id', 'label', 'status=creating|active|resizing', 'size', 'region=@regions', 'compute_id=none', 'compute_label=none', 'filesystem_path', 'hardware_type=hdd|nvme', 'tags=none', 'created', 'updated')
        }
        'volumes view' = @{
            Commands = @()
            Flags = @(
                '--concurrency= Number of targets to process at once (default 8)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('@volumes*')
            Fields = @('id', 'label', 'status=creating|active|resizing', 'size', 'region=@regions', 'compute_id=none', 'compute_label=none', 'filesystem_path', 'hardware_type=hdd|nvme', 'tags=none', 'created', 'updated')
        }
        'volumes update' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@volumes')
            Fields = @('id', 'label', 'status=creating|active|resizing', 'size', 'region=@regions', 'compute_id=none', 'compute_label=none', 'filesystem_path', 'hardware_type=hdd|nvme', 'tags=none', 'created', 'updated')
        }
        'volumes delete' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@volumes*')
            Fields = @('id', 'label', 'status=creating|active|resizing', 'size', 'region=@regions', 'compute_id=none', 'compute_label=none', 'filesystem_path', 'hardware_type=hdd|nvme', 'tags=none', 'created', 'updated')
        }
        'volumes attach' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@volumes')
            Fields = @('id', 'label', 'status=creating|active|resizing', 'size', 'region=@regions', 'compute_id=none', 'compute_label=none', 'filesystem_path', 'hardware_type=hdd|nvme', 'tags=none', 'created', 'updated')
        }
        'volumes detach' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@volumes*')
            Fields = @('id', 'label', 'status=creating|active|resizing', 'size', 'region=@regions', 'compute_id=none', 'compute_label=none', 'filesystem_path', 'hardware_type=hdd|nvme', 'tags=none', 'created', 'updated')
        }
        'volumes resize' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@volumes')
            Fields = @('id', 'label', 'status=creating|active|resizing', 'size', 'region=@regions', 'compute_id=none', 'compute_label=none', 'filesystem_path', 'hardware_type=hdd|nvme', 'tags=none', 'created', 'updated')
        }
        'volumes clone' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@volumes')
            Fields = @('id', 'label', 'status=creating|active|resizing', 'size', 'region=@regions', 'compute_id=none', 'compute_label=none', 'filesystem_path', 'hardware_type=hdd|nvme', 'tags=none', 'created', 'updated')
        }
        'volumes wait' = @{
            Commands = @()
            Flags = @(
                '--for=active|attached|detached|deleted active, attached, detached, deleted (default active)'
                '--wait-timeout= Maximum time to wait, for all targets together (default 5m)'
                '--concurrency= Number of targets to process at once (default 8)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('@volumes*')
            Fields = @('id', 'label', 'status=creating|active|resizing', 'size', 'region=@regions', 'compute_id=none', 'compute_label=none', 'filesystem_path', 'hardware_type=hdd|nvme', 'tags=none', 'created', 'updated')
        }
        'regions' = @{
            Commands = @(
                'list,ls List the regions'
                'view,get,show,describe Show a region'
                'availability List the availability of premium and GPU plans'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'regions list' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('id', 'label', 'country', 'capabilities=none', 'status=ok|outage', 'resolvers.ipv4', 'resolvers.ipv6')
        }
        'regions view' = @{
            Commands = @()
            Flags = @(
                '--concurrency= Number of targets to process at once (default 8)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('@regions*')
            Fields = @('id', 'label', 'country', 'capabilities=none', 'status=ok|outage', 'resolvers.ipv4', 'resolvers.ipv6')
        }
        'regions availability' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@regions')
            Fields = @('region=@regions', 'plan', 'available=true|false')
        }
        'firewalls' = @{
            Commands = @(
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
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'firewalls list' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('id', 'label', 'status=enabled|disabled|deleted', 'rules.inbound=none', 'rules.inbound_policy=ACCEPT|DROP', 'rules.outbound=none', 'rules.outbound_policy=ACCEPT|DROP', 'tags=none', 'created', 'updated')
        }
        'firewalls create' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('id', 'label', 'status=enabled|disabled|deleted', 'rules.inbound=none', 'rules.inbound_policy=ACCEPT|DROP', 'rules.outbound=none', 'rules.outbound_policy=ACCEPT|DROP', 'tags=none', 'created', 'updated')
        }
        'firewalls view' = @{
            Commands = @()
            Flags = @(
                '--concurrency= Number of targets to process at once (default 8)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('@firewalls*')
            Fields = @('id', 'label', 'status=enabled|disabled|deleted', 'rules.inbound=none', 'rules.inbound_policy=ACCEPT|DROP', 'rules.outbound=none', 'rules.outbound_policy=ACCEPT|DROP', 'tags=none', 'created', 'updated')
        }
        'firewalls update' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls')
            Fields = @('id', 'label', 'status=enabled|disabled|deleted', 'rules.inbound=none', 'rules.inbound_policy=ACCEPT|DROP', 'rules.outbound=none', 'rules.outbound_policy=ACCEPT|DROP', 'tags=none', 'created', 'updated')
        }
        'firewalls enable' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls*')
            Fields = @('id', 'label', 'status=enabled|disabled|deleted', 'rules.inbound=none', 'rules.inbound_policy=ACCEPT|DROP', 'rules.outbound=none', 'rules.outbound_policy=ACCEPT|DROP', 'tags=none', 'created', 'updated')
        }
        'firewalls disable' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls*')
            Fields = @('id', 'label', 'status=enabled|disabled|deleted', 'rules.inbound=none', 'rules.inbound_policy=ACCEPT|DROP', 'rules.outbound=none', 'rules.outbound_policy=ACCEPT|DROP', 'tags=none', 'created', 'updated')
        }
        'firewalls delete' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls*')
            Fields = @('id', 'label', 'status=enabled|disabled|deleted', 'rules.inbound=none', 'rules.inbound_policy=ACCEPT|DROP', 'rules.outbound=none', 'rules.outbound_policy=ACCEPT|DROP', 'tags=none', 'created', 'updated')
        }
        'firewalls open' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls', '*')
            Fields = @()
        }
        'firewalls close' = @{
            Commands = @()
            Flags = @(
                '--from*= Close only openings from these addresses, networks or their names (repeatable, or a,b)'
                '--mark*= Close only the openings with these marks (repeatable, or a,b)'
                '--concurrency= Number of targets to process at once (default 8)'
                '--dry-run Print the request and send nothing'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('@firewalls*')
            Fields = @()
        }
        'firewalls sweep' = @{
            Commands = @()
            Flags = @(
                '--concurrency= Number of targets to process at once (default 8)'
                '--dry-run Print the request and send nothing'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('@firewalls*')
            Fields = @()
        }
        'firewalls test' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls')
            Fields = @()
        }
        'firewalls devices' = @{
            Commands = @(
                'list,ls List the services of a firewall'
                'add,create Assign a firewall to an instance or balancer'
                'view,get,show,describe Show a service of a firewall'
                'delete,rm,remove Remove a firewall from a service'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'firewalls devices list' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls')
            Fields = @('id', 'entity.id', 'entity.label=none', 'entity.type=compute|balancer', 'entity.url', 'created', 'updated')
        }
        'firewalls devices add' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls')
            Fields = @('id', 'entity.id', 'entity.label=none', 'entity.type=compute|balancer', 'entity.url', 'created', 'updated')
        }
        'firewalls devices view' = @{
            Commands = @()
            Flags = @(
                '--concurrency= Number of targets to process at once (default 8)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('@firewalls', '*')
            Fields = @('id', 'entity.id', 'entity.label=none', 'entity.type=compute|balancer', 'entity.url', 'created', 'updated')
        }
        'firewalls devices delete' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls', '*')
            Fields = @('id', 'entity.id', 'entity.label=none', 'entity.type=compute|balancer', 'entity.url', 'created', 'updated')
        }
        'firewalls rules' = @{
            Commands = @(
                'list,ls Show the rules and policies of a firewall'
                'update,set,replace Replace the rules and policies of a firewall'
                'diff Compare firewall rules with a file'
                'edit Change firewall rules in your editor'
                'add Add a rule to a firewall'
                'remove,rm,delete Remove rules from a firewall'
                'move,mv Move a firewall rule to another position'
                'undo Undo the last change of firewall rules'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'firewalls rules list' = @{
            Commands = @()
            Flags = @(
                '--hash Print only the hash of the rules, for --if-match'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('@firewalls')
            Fields = @()
        }
        'firewalls rules update' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls')
            Fields = @()
        }
        'firewalls rules diff' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls')
            Fields = @()
        }
        'firewalls rules edit' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls')
            Fields = @()
        }
        'firewalls rules add' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls', 'inbound|outbound', '@firewalls*')
            Fields = @()
        }
        'firewalls rules remove' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls', 'inbound|outbound', '@rules*')
            Fields = @()
        }
        'firewalls rules move' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls', 'inbound|outbound', '@rules')
            Fields = @()
        }
        'firewalls rules undo' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@firewalls')
            Fields = @()
        }
        'ips' = @{
            Commands = @(
                'list,ls List the addresses, without the private ones'
                'view,get,show,describe Show an address'
                'allocate,create,add Allocate an IPv4 address to a compute instance'
                'assign Assign addresses and ranges to compute instances'
                'share Set the addresses shared with an instance'
                'rdns Set the reverse DNS of an address'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'ips list' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('address', 'type=ipv4|ipv6|ipv6/pool|ipv6/range', 'public=true|false', 'compute_id=none', 'region=@regions', 'rdns=none', 'gateway=none', 'subnet_mask=none', 'prefix', 'vpc_nat_1_1.address=none', 'vpc_nat_1_1.subnet_id=none', 'vpc_nat_1_1.vpc_id=none')
        }
        'ips view' = @{
            Commands = @()
            Flags = @(
                '--concurrency= Number of targets to process at once (default 8)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('*')
            Fields = @('address', 'type=ipv4|ipv6|ipv6/pool|ipv6/range', 'public=true|false', 'compute_id=none', 'region=@regions', 'rdns=none', 'gateway=none', 'subnet_mask=none', 'prefix', 'vpc_nat_1_1.address=none', 'vpc_nat_1_1.subnet_id=none', 'vpc_nat_1_1.vpc_id=none')
        }
        'ips allocate' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('address', 'type=ipv4|ipv6|ipv6/pool|ipv6/range', 'public=true|false', 'compute_id=none', 'region=@regions', 'rdns=none', 'gateway=none', 'subnet_mask=none', 'prefix', 'vpc_nat_1_1.address=none', 'vpc_nat_1_1.subnet_id=none', 'vpc_nat_1_1.vpc_id=none')
        }
        'ips assign' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('*')
            Fields = @()
        }
        'ips share' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('*')
            Fields = @()
        }
        'ips rdns' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('', '')
            Fields = @('address', 'type=ipv4|ipv6|ipv6/pool|ipv6/range', 'public=true|false', 'compute_id=none', 'region=@regions', 'rdns=none', 'gateway=none', 'subnet_mask=none', 'prefix', 'vpc_nat_1_1.address=none', 'vpc_nat_1_1.subnet_id=none', 'vpc_nat_1_1.vpc_id=none')
        }
        'ipv6' = @{
            Commands = @(
                'pools,pool Blocks of IPv6 addresses for all compute instances of a region'
                'ranges,range Blocks of IPv6 addresses, each routed to a compute instance'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'ipv6 pools' = @{
            Commands = @(
                'list,ls List the IPv6 pools'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'ipv6 pools list' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('range', 'prefix', 'region=@regions', 'route_target=none')
        }
        'ipv6 ranges' = @{
            Commands = @(
                'list,ls List the IPv6 ranges'
                'create,add Create an IPv6 range routed to an instance'
                'view,get,show,describe Show an IPv6 range and its targets'
                'delete,rm,remove Delete an IPv6 range; its addresses are lost'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'ipv6 ranges list' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('range', 'prefix', 'region=@regions', 'route_target=none')
        }
        'ipv6 ranges create' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('range', 'route_target')
        }
        'ipv6 ranges view' = @{
            Commands = @()
            Flags = @(
                '--concurrency= Number of targets to process at once (default 8)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('*')
            Fields = @('range', 'prefix', 'region=@regions', 'is_bgp=true|false', 'computes=none')
        }
        'ipv6 ranges delete' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('*')
            Fields = @('range', 'prefix', 'region=@regions', 'is_bgp=true|false', 'computes=none')
        }
        'vlans' = @{
            Commands = @(
                'list,ls List the VLANs'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'vlans list' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('label', 'region=@regions', 'computes=none', 'created')
        }
        'profile' = @{
            Commands = @(
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
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'profile view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @('username', 'uid', 'email', 'authentication_type=password|idp', 'restricted=true|false', 'two_factor_auth=true|false', 'email_notifications=true|false', 'ip_whitelist_enabled=true|false', 'shell_auth_method=password_keys|keys_only|disabled', 'authorized_keys=none', 'timezone', 'verified_phone_number=none', 'referrals.code=none', 'referrals.url=none', 'referrals.total=none', 'referrals.completed=none', 'referrals.pending=none', 'referrals.credit=none')
        }
        'profile update' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('username', 'uid', 'email', 'authentication_type=password|idp', 'restricted=true|false', 'two_factor_auth=true|false', 'email_notifications=true|false', 'ip_whitelist_enabled=true|false', 'shell_auth_method=password_keys|keys_only|disabled', 'authorized_keys=none', 'timezone', 'verified_phone_number=none', 'referrals.code=none', 'referrals.url=none', 'referrals.total=none', 'referrals.completed=none', 'referrals.pending=none', 'referrals.credit=none')
        }
        'profile grants' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @()
        }
        'profile apps' = @{
            Commands = @(
                'list,ls List the OAuth apps with account access'
                'view,get,show,describe Show an authorized app'
                'revoke,delete,rm,remove Revoke the access of an app'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'profile apps list' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('id', 'label', 'scopes', 'website', 'thumbnail_url=none', 'created', 'expiry=none')
        }
        'profile apps view' = @{
            Commands = @()
            Flags = @(
                '--concurrency= Number of targets to process at once (default 8)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('@apps*')
            Fields = @('id', 'label', 'scopes', 'website', 'thumbnail_url=none', 'created', 'expiry=none')
        }
        'profile apps revoke' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@apps*')
            Fields = @('id', 'label', 'scopes', 'website', 'thumbnail_url=none', 'created', 'expiry=none')
        }
        'profile devices' = @{
            Commands = @(
                'list,ls List the trusted devices'
                'view,get,show,describe Show a trusted device'
                'revoke,delete,rm,remove Revoke a trusted device'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'profile devices list' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('id', 'user_agent', 'last_remote_addr', 'last_authenticated', 'created', 'expiry')
        }
        'profile devices view' = @{
            Commands = @()
            Flags = @(
                '--concurrency= Number of targets to process at once (default 8)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('*')
            Fields = @('id', 'user_agent', 'last_remote_addr', 'last_authenticated', 'created', 'expiry')
        }
        'profile devices revoke' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('*')
            Fields = @('id', 'user_agent', 'last_remote_addr', 'last_authenticated', 'created', 'expiry')
        }
        'profile logins' = @{
            Commands = @(
                'list,ls List logins of 90 days with their addresses'
                'view,get,show,describe Show a login'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'profile logins list' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('id', 'datetime', 'ip', 'username', 'restricted=true|false', 'status=successful|failed')
        }
        'profile logins view' = @{
            Commands = @()
            Flags = @(
                '--concurrency= Number of targets to process at once (default 8)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('*')
            Fields = @('id', 'datetime', 'ip', 'username', 'restricted=true|false', 'status=successful|failed')
        }
        'profile phone' = @{
            Commands = @(
                'setup Verify a phone number, step by step'
                'send Send a verification code to a phone number'
                'verify Verify a phone number with its code'
                'delete,rm,remove Remove the verified phone number'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'profile phone setup' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'profile phone send' = @{
            Commands = @()
            Flags = @(
                '--iso-code= Two-letter ISO 3166 country code of the number (required)'
                '--phone-number= Phone number (required)'
                '--body=@files JSON or YAML body, - is stdin; flags override it'
                '--no-validate Skip client-side validation'
                '--dry-run Print the request and send nothing'
            )
            Arguments = @()
            Fields = @()
        }
        'profile phone verify' = @{
            Commands = @()
            Flags = @(
                '--otp-code= Code from the message (required)'
                '--body=@files JSON or YAML body, - is stdin; flags override it'
                '--no-validate Skip client-side validation'
                '--dry-run Print the request and send nothing'
            )
            Arguments = @()
            Fields = @()
        }
        'profile phone delete' = @{
            Commands = @()
            Flags = @(
                '--if-present Succeed if the resource does not exist'
                '--dry-run Print the request and send nothing'
            )
            Arguments = @()
            Fields = @()
        }
        'profile preferences' = @{
            Commands = @(
                'view,get,show,describe Show the preferences of this OAuth client'
                'set,update Replace the preferences of this OAuth client'
                'edit Change the preferences in an editor'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'profile preferences view' = @{
            Commands = @()
            Flags = @(
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @()
        }
        'profile preferences set' = @{
            Commands = @()
            Flags = @(
                '--body=@files JSON or YAML body, - is stdin; flags override it'
                '--no-validate Skip client-side validation'
                '--dry-run Print the request and send nothing'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @()
        }
        'profile preferences edit' = @{
            Commands = @()
            Flags = @(
                '--dry-run Print the request and send nothing'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @()
        }
        'profile security-questions' = @{
            Commands = @(
                'list,ls List the security questions and your answers'
                'answer,set Answer three security questions'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'profile security-questions list' = @{
            Commands = @()
            Flags = @(
                '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
                '--limit= Maximum number of results'
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @('security_questions=none')
        }
        'profile security-questions answer' = @{
            Commands = @()
            Flags = @(
                '--show-answers Show the answers while typing'
                '--body=@files JSON or YAML body, - is stdin; flags override it'
                '--no-validate Skip client-side validation'
                '--dry-run Print the request and send nothing'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @('security_questions=none')
        }
        'profile sshkeys' = @{
            Commands = @(
                'list,ls List the SSH keys of the profile'
                'add,create Add an SSH public key to the profile'
                'view,get,show,describe Show an SSH key'
                'update,set Change the label of an SSH key'
                'delete,rm,remove Delete an SSH key; instances keep their copies'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'profile sshkeys list' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('id', 'label', 'ssh_key', 'created')
        }
        'profile sshkeys add' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('id', 'label', 'ssh_key', 'created')
        }
        'profile sshkeys view' = @{
            Commands = @()
            Flags = @(
                '--concurrency= Number of targets to process at once (default 8)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('@sshkeys*')
            Fields = @('id', 'label', 'ssh_key', 'created')
        }
        'profile sshkeys update' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@sshkeys')
            Fields = @('id', 'label', 'ssh_key', 'created')
        }
        'profile sshkeys delete' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@sshkeys*')
            Fields = @('id', 'label', 'ssh_key', 'created')
        }
        'profile tfa' = @{
            Commands = @(
                'setup Switch two-factor authentication on, step by step'
                'enable Create a two-factor secret, which must be confirmed'
                'confirm Switch two-factor authentication on with a code'
                'disable Switch two-factor authentication off'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'profile tfa setup' = @{
            Commands = @()
            Flags = @(
                '--scratch-file=@files Write the scratch code to a private file instead of showing it'
                '--force Replace an existing file'
                '--qr=utf8|ascii|none Draw the QR code as utf8, ascii or none'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @()
        }
        'profile tfa enable' = @{
            Commands = @()
            Flags = @(
                '--dry-run Print the request and send nothing'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @('secret', 'expiry')
        }
        'profile tfa confirm' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('scratch')
        }
        'profile tfa disable' = @{
            Commands = @()
            Flags = @(
                '--dry-run Print the request and send nothing'
            )
            Arguments = @()
            Fields = @()
        }
        'tokens' = @{
            Commands = @(
                'list,ls List your personal access tokens'
                'create,add Create a personal access token'
                'view,get,show,describe Show a personal access token'
                'update,set Change the label of a personal access token'
                'revoke,delete,rm,remove Revoke a personal access token'
                'rotate Replace a token with a new one'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'tokens list' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('id', 'label', 'scopes', 'created', 'expiry=none', 'token')
        }
        'tokens create' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @('id', 'label', 'scopes', 'created', 'expiry=none', 'token')
        }
        'tokens view' = @{
            Commands = @()
            Flags = @(
                '--concurrency= Number of targets to process at once (default 8)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('@tokens*')
            Fields = @('id', 'label', 'scopes', 'created', 'expiry=none', 'token')
        }
        'tokens update' = @{
            Commands = @()
            Flags = @(
                '--label= Label of the token (required)'
                '--body=@files JSON or YAML body, - is stdin; flags override it'
                '--no-validate Skip client-side validation'
                '--dry-run Print the request and send nothing'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('@tokens')
            Fields = @('id', 'label', 'scopes', 'created', 'expiry=none', 'token')
        }
        'tokens revoke' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@tokens*')
            Fields = @('id', 'label', 'scopes', 'created', 'expiry=none', 'token')
        }
        'tokens rotate' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('@tokens')
            Fields = @('id', 'label', 'scopes', 'created', 'expiry=none', 'token')
        }
        'export' = @{
            Commands = @()
            Flags = @(
                '--owner= Set this owner in the file, for apply --prune'
                '--filter*= Export only matching resources of one kind: tags=web-team (skyctl help filter) (repeatable)'
                '--into=@files Add what is missing to this file, and keep its comments'
                '--schema Print the JSON Schema of account files instead'
            )
            Arguments = @('volumes|firewalls|sshkeys|ips|rdns|tokens|profile*')
            Fields = @()
        }
        'plan' = @{
            Commands = @()
            Flags = @(
                '--only*=volumes|firewalls|sshkeys|ips|rdns|tokens|profile Only these: volumes/pgdata, volumes/log* (repeatable)'
                '--prune Delete what has the owner''s tag and is in no file'
                '--adopt Add the owner''s tag to what is in the files and lacks it'
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
            Arguments = @('@files*')
            Fields = @()
        }
        'apply' = @{
            Commands = @()
            Flags = @(
                '--only*=volumes|firewalls|sshkeys|ips|rdns|tokens|profile Only these: volumes/pgdata, volumes/log* (repeatable)'
                '--prune Delete what has the owner''s tag and is in no file'
                '--adopt Add the owner''s tag to what is in the files and lacks it'
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
            Arguments = @('@files*')
            Fields = @()
        }
        'overview' = @{
            Commands = @()
            Flags = @(
                '--output,-o=table|json|ndjson|yaml|csv|tsv|mermaid Print as table, json, ndjson, yaml, csv, tsv, mermaid'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @()
        }
        'audit' = @{
            Commands = @()
            Flags = @(
                '--fail-on=critical|high|medium|low Exit with 13 for a finding of this severity or worse'
                '--ignore=@files Leave out the exceptions in this file; - is stdin'
                '--code*=,two-factor-off|database-port-open|admin-port-open|internal-port-open|inbound-policy-accept|unknown-protocol-open|opening-expired|instance-unprotected|balancer-unprotected|token-full-scope|ssh-key-weak|large-network-open|wide-range-open|amplifier-port-open|failed-logins|security-questions-unanswered|token-never-expires|token-expires-soon|app-write-scopes|device-trusted-long|firewall-disabled|rule-not-judged|outbound-open|rule-never-matches|firewall-unused|rule-budget|address-budget|token-long-lived|ssh-key-twice|volume-label-twice|ssh-key-label-twice|token-label-twice|volume-unattached|address-without-rdns Run only these checks (repeatable, or a,b)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @()
        }
        'doctor' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @()
        }
        'history' = @{
            Commands = @(
                'list,ls List changes made from this machine, newest first'
                'view,get,show,describe Show a change and the state before it'
                'undo Undo one change or a whole apply'
                'clear Remove the history of this machine'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'history list' = @{
            Commands = @()
            Flags = @(
                '--filter*=@filter Keep matching items: size>=40, created>7d (skyctl help filter) (repeatable)'
                '--limit= Maximum number of results'
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @('number', 'time', 'context=none', 'service', 'uid=none', 'username=none', 'command', 'apply=none', 'method', 'path', 'kind=none', 'id=none', 'label=none', 'outcome=ok|failed|unknown', 'code=none', 'status=none', 'request_ids=none', 'next=none', 'undo=none', 'no_undo=none')
        }
        'history view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('')
            Fields = @('number', 'time', 'context=none', 'service', 'uid=none', 'username=none', 'command', 'apply=none', 'method', 'path', 'kind=none', 'id=none', 'label=none', 'outcome=ok|failed|unknown', 'code=none', 'status=none', 'request_ids=none', 'next=none', 'undo=none', 'no_undo=none', 'before=none')
        }
        'history undo' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @('')
            Fields = @()
        }
        'history clear' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'auth' = @{
            Commands = @(
                'login Sign in with a token and store it'
                'logout Sign out: remove the token of a context'
                'status Show the current service, user and token'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'auth login' = @{
            Commands = @()
            Flags = @(
                '--with-token Read the token from stdin'
            )
            Arguments = @()
            Fields = @()
        }
        'auth logout' = @{
            Commands = @()
            Flags = @()
            Arguments = @('@contexts')
            Fields = @()
        }
        'auth status' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @()
        }
        'context' = @{
            Commands = @(
                'list,ls List the contexts'
                'use Set the current context'
                'view,get,show,describe Show a context, without its token'
                'update,set Change defaults or token command of a context'
                'rename Rename a context'
                'delete,rm,remove Delete a context with its token'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'context list' = @{
            Commands = @()
            Flags = @(
                '--limit= Maximum number of results'
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @()
        }
        'context use' = @{
            Commands = @()
            Flags = @()
            Arguments = @('@contexts')
            Fields = @()
        }
        'context view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('@contexts')
            Fields = @()
        }
        'context update' = @{
            Commands = @()
            Flags = @(
                '--region=@regions Default region of new volumes; "" for none'
                '--default-output=table|json|ndjson|yaml|csv|tsv Default output format; "" for none'
                '--keep-open*= Traffic that firewall changes must not block, as tcp/22@198.51.100.7 (repeatable)'
                '--no-keep-open Traffic that firewall changes must not block, as tcp/22@198.51.100.7 (repeatable)'
                '--networks=@files File with names of networks, for --from office; "" for none'
                '--token-command= Shell command that prints the token; it replaces a stored token'
            )
            Arguments = @('@contexts')
            Fields = @()
        }
        'context rename' = @{
            Commands = @()
            Flags = @()
            Arguments = @('@contexts', '')
            Fields = @()
        }
        'context delete' = @{
            Commands = @()
            Flags = @()
            Arguments = @('@contexts')
            Fields = @()
        }
        'api' = @{
            Commands = @()
            Flags = @(
                '--body=@files Send this JSON or YAML file; - is stdin'
                '--header,-H*= Add a header, such as ''X-Filter: {}'' (repeatable)'
                '--paginate Read every page, and print the items as one array'
                '--openapi Print the OpenAPI 3.1 document and send nothing'
                '--dry-run Print the request and send nothing'
                '--max-memory= Limit for a list that is held before it is printed (default 512MiB)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('GET|POST|PUT|DELETE', '')
            Fields = @()
        }
        'sandbox' = @{
            Commands = @(
                'start Run the sandbox as a server'
                'world List the resources of the context "sandbox"'
                'outbox List messages, such as SMS with phone codes'
                'reset Reset the context "sandbox" to its initial state'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'sandbox start' = @{
            Commands = @()
            Flags = @(
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
            Arguments = @()
            Fields = @()
        }
        'sandbox world' = @{
            Commands = @()
            Flags = @(
                '--query= Choose from the JSON with a JMESPath expression'
            )
            Arguments = @()
            Fields = @()
        }
        'sandbox outbox' = @{
            Commands = @()
            Flags = @(
                '--limit= Maximum number of results'
                '--sort*=,@sort Sort by fields; - before one reverses (repeatable, or a,b)'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @()
        }
        'sandbox reset' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'completion' = @{
            Commands = @(
                'bash Print the completion script for bash'
                'zsh Print the completion script for zsh'
                'fish Print the completion script for fish'
                'powershell Print the completion script for PowerShell'
            )
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'completion bash' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'completion zsh' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'completion fish' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'completion powershell' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
            Fields = @()
        }
        'version' = @{
            Commands = @()
            Flags = @(
                '--check Look for a newer version'
                '--from= Address of the latest release; default: SKYCTL_RELEASES'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @()
            Fields = @()
        }
        'help' = @{
            Commands = @(
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
            Flags = @(
                '--all Show every flag and example of the command'
                '--limit= Maximum number of results'
                '--columns,--format*=,@columns Fields to print in order, or "all" (repeatable, or a,b)'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Do not escape csv and tsv cells that a spreadsheet would run as formulas'
            )
            Arguments = @('account-file|bulk|environment|exit-codes|filter|flags|lockout|networks|output|references|rules-file|wait|find*')
            Fields = @()
        }
    }
    $globals = @(
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

    # The row of a name.
    function Find-Row($name, $rows) {
        foreach ($row in $rows) {
            $names = ($row.Split(' ')[0] -replace '[*=].*$').Split(',')
            if ($names -ccontains $name) { return $row }
        }
    }

    # The row of a flag as it was typed; snake_case is the same flag.
    function Find-Flag($typed, $rows) {
        $name = $typed.Split('=')[0]
        if ($name.StartsWith('--')) { $name = $name.Replace('_', '-') }
        Find-Row $name $rows
    }

    # The VALUES in a row; nothing where its flag takes no value.
    function Get-Values($row) {
        if ($row -match '^[^ =]*=([^ ]*)') { $Matches[1] }
    }

    # A completion of the word at the cursor, in quotes where PowerShell needs them.
    function New-Completion($prefix, $name, $note) {
        $text = $name
        if ($text -notmatch '^[\w./:+-][\w./:=+@%-]*$') {
            $text = "'" + [Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($text) + "'"
        }
        if (-not $note) { $note = $name }
        [Management.Automation.CompletionResult]::new("$prefix$text", $name, 'ParameterValue', $note)
    }

    # The names in rows; aliases only where no name begins like what was typed.
    function Get-Names($rows, $typed) {
        $names = @()
        $aliases = @()
        foreach ($row in $rows) {
            $entry, $note = $row.Split(' ', 2)
            $first, $others = ($entry -replace '[*=].*$').Split(',')
            if ($first.StartsWith($typed, 'Ordinal')) { $names += New-Completion '' $first $note }
            foreach ($alias in $others) {
                if ($alias -match '^-[^-]' -or -not $alias.StartsWith($typed, 'Ordinal')) { continue }
                $aliases += New-Completion '' $alias $note
            }
        }
        if ($names) { $names } else { $aliases }
    }

    # Runs skyctl for the names of a kind. The context goes through the environment: a .cmd file would evaluate it.
    function Invoke-Names($kind, $timeout) {
        $skyctl = Get-Command skyctl -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
        if (-not $skyctl) { return }
        $start = [Diagnostics.ProcessStartInfo]::new($skyctl.Source, "completion values $kind --timeout $timeout")
        $start.UseShellExecute = $false
        $start.CreateNoWindow = $true
        $start.RedirectStandardInput = $true
        $start.RedirectStandardOutput = $true
        $start.RedirectStandardError = $true
        $start.StandardOutputEncoding = [Text.Encoding]::UTF8
        if ($context) { $start.EnvironmentVariables['SKYCTL_CONTEXT'] = $context }
        $child = [Diagnostics.Process]::Start($start)
        $child.StandardInput.Close()
        $child.BeginErrorReadLine()
        $child
    }

    # Where the names of the account in use are kept; nothing where that is nowhere, or unknown.
    function Get-KeptFile($kind) {
        $folder = if ($env:OS -eq 'Windows_NT') { "$env:LOCALAPPDATA/skyctl/Cache/names" }
        elseif ($IsMacOS) { "$HOME/Library/Caches/skyctl/names" }
        elseif ($env:XDG_CACHE_HOME -like '/*') { "$env:XDG_CACHE_HOME/skyctl/names" }
        else { "$HOME/.cache/skyctl/names" }
        if ($kind -eq 'contexts') { return "$folder/.contexts" }
        $name = if ($context) { $context } else { $env:SKYCTL_CONTEXT }
        if (-not $name) {
            if ([IO.File]::Exists("$folder/.current")) { $name = [IO.File]::ReadAllText("$folder/.current").Trim() }
            if ($name -match '[/\\]') { $name = $null }
        } elseif ($name -notmatch '^[A-Za-z0-9_-][A-Za-z0-9_.-]*$') {
            # How other names are encoded, skyctl itself knows best.
            $name = $null
        }
        if (-not $context -and $env:SKYCTL_CONTEXT -cne 'sandbox' -and "$env:SKYCTL_TOKEN$env:SKYCTL_TOKEN_FILE$env:SKYCTL_BASE_URL") { $name = Get-Account $name }
        if ($name) { "$folder/$name/$kind" }
    }

    # The folder of the account that the environment names, as environmentFolder in src/account/name-cache.ts does; nothing
    # where it cannot.
    function Get-Account($name) {
        $place = if ($env:SKYCTL_BASE_URL) { $env:SKYCTL_BASE_URL } else { $name }
        $user = if ($env:SKYCTL_TOKEN) { $env:SKYCTL_TOKEN -replace '^(.{16}).*$', '$1' } else { $name }
        if ($env:SKYCTL_TOKEN_FILE -or -not $place -or -not $user -or "$place $user" -notmatch '^[ -~]+$') { return }
        [long]$sum = 0
        foreach ($char in "$place $user".ToCharArray()) { $sum = ($sum * 257 + [int]$char) % 17592186044399 }
        ".env-$sum"
    }

    # The names of a kind, NAME[<tab>NOTE] each: at once from the file that keeps them, which is renewed behind one's
    # back when it is old.
    function Get-KeptNames($kind) {
        if ($elsewhere -and $kind -ne 'contexts') { return }
        $file = Get-KeptFile $kind
        if ($file -and [IO.File]::Exists($file)) {
            [IO.File]::ReadAllLines($file)
            if ([IO.File]::GetLastWriteTimeUtc($file) -gt [DateTime]::UtcNow.AddMinutes(-5)) { return }
            try { [IO.File]::SetLastWriteTimeUtc($file, [DateTime]::UtcNow) } catch { return }
            $child = Invoke-Names $kind '30s'
            if ($child) { $child.BeginOutputReadLine() }
        } elseif ($kind -eq 'rules') {
            # Those of many firewalls: Tab does not wait for them.
            $child = if ($file) { Invoke-Names $kind '30s' }
            if ($child) { $child.BeginOutputReadLine() }
        } else {
            $child = Invoke-Names $kind '2s'
            if ($child) { $child.StandardOutput.ReadToEnd() -split '\r?\n' | Where-Object { $_ } }
        }
    }

    # Completions with VALUES, behind a prefix such as "--output="; of names, none that was used.
    function Get-Completions($values, $prefix, $typed, $used) {
        $values = $values -replace '\*$'
        if ($values.StartsWith(',')) {
            $values = $values.Substring(1)
            if ($typed -match '^(.*,)(.*)$') { $prefix, $typed = "$prefix$($Matches[1])", $Matches[2] }
        }
        if ($values -eq '@files') {
            foreach ($one in [Management.Automation.CompletionCompleters]::CompleteFilename($typed)) {
                [Management.Automation.CompletionResult]::new(
                    "$prefix$($one.CompletionText)", $one.ListItemText, $one.ResultType, $one.ToolTip)
            }
        } elseif ($values -in '@columns', '@sort', '@filter') {
            Get-Fields $values $prefix $typed
        } elseif ($values.StartsWith('@')) {
            Get-NameCompletions $values.Substring(1) $prefix $typed $used
        } elseif ($values) {
            foreach ($name in $values.Replace('+', ' ').Split('|')) {
                if ($name.StartsWith($typed, 'Ordinal')) { New-Completion $prefix $name }
            }
        }
    }

    function Get-NameCompletions($kind, $prefix, $typed, $used) {
        $forced = $typed.StartsWith('label:', 'Ordinal') -and $kind -notin 'regions', 'contexts'
        if ($forced) { $typed = $typed.Substring(6) }
        $lines = Get-KeptNames $kind
        if ($kind -eq 'rules') {
            # Those of the firewall and the direction before the cursor, which are no rules themselves.
            $lines = foreach ($line in $lines) {
                if ($line.StartsWith($side, 'Ordinal')) { $line.Substring($side.Length) }
            }
            $used = @($used | Select-Object -Skip 2)
        }
        $taken = @($used) -replace '^(label|id):'
        foreach ($line in $lines) {
            $name, $note = $line.Split([char]9)
            $label = $name -replace '^label:'
            if ($taken -ccontains $label -or ($note -and $taken -ccontains $note)) { continue }
            if ($forced) {
                if ($name -match '^[0-9]+$' -or -not $label.StartsWith($typed, 'Ordinal')) { continue }
                New-Completion $prefix "label:$label" $note
            } elseif ($name.StartsWith($typed, 'Ordinal')) { New-Completion $prefix $name $note }
            elseif ($typed -match '^[1-9]' -and "$note".StartsWith($typed, 'Ordinal')) {
                New-Completion $prefix $note $name
            }
        }
    }

    # Fields: "NAME=" to filter by, and behind that what the field may hold.
    function Get-Fields($kind, $prefix, $typed) {
        if ($kind -eq '@filter' -and $typed -match '^([\w.]*)([^=]*=)(.*)$') {
            $row = Find-Row $Matches[1] $rows.Fields
            if ($row -like '*=*') { Get-Completions (Get-Values $row) "$prefix$($Matches[1])$($Matches[2])" $Matches[3] }
            return
        }
        $names = @($rows.Fields -replace '=.*$')
        if ($kind -eq '@columns') { $names += 'all' }
        if ($kind -eq '@sort' -and $typed.StartsWith('-')) { $names = $names -replace '^', '-' }
        if ($kind -eq '@filter') { $names = $names -replace '$', '=' }
        foreach ($name in $names) { if ($name.StartsWith($typed, 'Ordinal')) { New-Completion $prefix $name } }
    }

    $typed = $wordToComplete -replace '^["'']|["'']$'
    $before = $commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition }
    $path = ''
    $rows = $places['']
    $given = @()
    $used = @()
    $flag = $targets = $context = $elsewhere = $null
    $position = 0
    # The walk of README.md.
    foreach ($element in $before) {
        $word = if ($element -is [Management.Automation.Language.StringConstantExpressionAst]) { $element.Value }
        else { $element.Extent.Text }
        $value = $word
        if (-not $flag) {
            if (-not $targets -and $word -ceq '--') {
                $targets = $true
                continue
            }
            if (-not $targets -and $word -match '^-.') {
                $row = Find-Flag $word ($rows.Flags + $globals)
                if (-not $row) { continue }
                $given += $row
                if ($null -eq (Get-Values $row)) { continue }
                $flag = $row
                if ($word -notmatch '^--[^=]*=(.*)$') { continue }
                $value = $Matches[1]
            } else {
                $row = Find-Row $word $rows.Commands
                if ($row) {
                    $name = $row.Split(' ')[0].Split(',')[0]
                    $path = if ($path -in '', 'help') { $name } else { "$path $name" }
                    $rows = $places[$path]
                } else {
                    $position += 1
                    $used += $word
                    if ($rows.Commands -and -not $rows.Arguments) { return }
                }
                continue
            }
        }
        # What decides whose names are completed.
        if ($flag.StartsWith('--context=')) { $context = $value }
        if ($flag.StartsWith('--base-url=')) { $elsewhere = $true }
        $flag = $null
    }

    if ($flag) {
        Get-Completions (Get-Values $flag) '' $typed
    } elseif (-not $targets -and $typed -match '^(--[^=]+=)(.*)$') {
        $prefix, $rest = $Matches[1], $Matches[2]
        $row = Find-Flag $typed ($rows.Flags + $globals)
        if ($row) { Get-Completions "$(Get-Values $row)" $prefix ($rest -replace '^["'']') }
    } elseif (-not $targets -and $typed.StartsWith('-')) {
        $left = $rows.Flags + $globals | Where-Object { $_.Split(' ')[0].Contains('*') -or $given -cnotcontains $_ }
        Get-Names $left $typed
    } else {
        Get-Names $rows.Commands $typed
        $last = $rows.Arguments.Count - 1
        if ($last -lt 0) { return }
        $several = $rows.Arguments[$last].EndsWith('*')
        $side = ("$($used[0])" -replace '^(label|id):') + " $($used[1]) "
        if (-not $several) { $used = @() }
        if ($position -le $last) { Get-Completions $rows.Arguments[$position] '' $typed $used }
        elseif ($several) { Get-Completions $rows.Arguments[$last] '' $typed $used }
    }
}
