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
                'regions,region Regions and what is available in them'
                'firewalls,firewall Firewalls, their rules and what they protect'
                'profile Who you are, and how you sign in'
                'tokens,token Personal access tokens'
                'ips,ip Addresses: allocate, assign, share, reverse DNS'
                'ipv6 IPv6 pools and ranges'
                'vlans,vlan Virtual local area networks'
                'auth Sign in and out, and see who you are'
                'context,contexts Accounts that you have signed in to, and their defaults'
                'api Send any request to the service'
                'sandbox The embedded service: try things, test scripts'
                'completion Completion for bash, zsh, fish and PowerShell'
                'help Help on a command or a topic, and finding a command'
            )
            Flags = @(
                '--version,-V Show the version'
            )
            Arguments = @()
        }
        'volumes' = @{
            Commands = @(
                'list,ls List the volumes you may view'
                'create,add Create a volume, attached or not; billing starts'
                'view,get,show,describe Show a volume'
                'update,set Change the label or the tags of a volume'
                'delete,rm,remove Delete a volume and its data for ever; billing stops'
                'attach Attach a volume to a compute instance of its region'
                'detach Detach a volume from its compute instance'
                'resize Grow a volume; it can never shrink'
                'clone Copy a volume with its size and data; billing starts'
                'wait Wait until volumes are in a state'
            )
            Flags = @()
            Arguments = @()
        }
        'volumes list' = @{
            Commands = @()
            Flags = @(
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'volumes create' = @{
            Commands = @()
            Flags = @(
                '--label= Label of the volume (required)'
                '--size= Size in GiB; the service takes 20 where none is given'
                '--region=@regions Region ID; required without a compute instance'
                '--compute-id= Compute instance to attach the volume to'
                '--config-id= Configuration of that compute instance to attach it in'
                '--tag,--tags*= Tags to organize by; repeat it, or use commas'
                '--if-absent Take what has this label already, if it is as asked for, instead of making another'
                '--allow-duplicate Give the label although another has it: only ids tell them apart then'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--wait Wait until active'
                '--wait-timeout= How long to wait (default 5m)'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'volumes view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes*')
        }
        'volumes update' = @{
            Commands = @()
            Flags = @(
                '--label= Label of the volume'
                '--tag,--tags*= Tags to organize by; repeat it, or use commas'
                '--no-tags Empty the list of tags'
                '--add-tag*= Add to the tags that stand'
                '--remove-tag*= Remove from the tags that stand'
                '--allow-duplicate Give the label although another has it: only ids tell them apart then'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes')
        }
        'volumes delete' = @{
            Commands = @()
            Flags = @(
                '--if-present Be content where it does not exist, or not any more'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes*')
        }
        'volumes attach' = @{
            Commands = @()
            Flags = @(
                '--compute-id= Compute instance to attach the volume to (required)'
                '--config-id= Configuration of that compute instance to attach it in'
                '--persist-across-boots Keep the volume in the configuration, so that it is attached at every boot'
                '--no-persist-across-boots Keep the volume in the configuration, so that it is attached at every boot'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--wait Wait until attached'
                '--wait-timeout= How long to wait (default 5m)'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes')
        }
        'volumes detach' = @{
            Commands = @()
            Flags = @(
                '--if-present Be content where it does not exist, or not any more'
                '--wait Wait until detached'
                '--wait-timeout= How long to wait (default 5m)'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes*')
        }
        'volumes resize' = @{
            Commands = @()
            Flags = @(
                '--size= New size in GiB, larger than the present one (required)'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--wait Wait until active'
                '--wait-timeout= How long to wait (default 5m)'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes')
        }
        'volumes clone' = @{
            Commands = @()
            Flags = @(
                '--label= Label of the volume (required)'
                '--allow-duplicate Give the label although another has it: only ids tell them apart then'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--wait Wait until active'
                '--wait-timeout= How long to wait (default 5m)'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes')
        }
        'volumes wait' = @{
            Commands = @()
            Flags = @(
                '--for=active|attached|detached|deleted active, attached, detached, deleted (default active)'
                '--wait-timeout= How long to wait (default 5m)'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes*')
        }
        'regions' = @{
            Commands = @(
                'list,ls List the regions'
                'view,get,show,describe Show a region'
                'availability List where premium and GPU plans are available'
            )
            Flags = @()
            Arguments = @()
        }
        'regions list' = @{
            Commands = @()
            Flags = @(
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'regions view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@regions*')
        }
        'regions availability' = @{
            Commands = @()
            Flags = @(
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@regions')
        }
        'firewalls' = @{
            Commands = @(
                'list,ls List the firewalls'
                'create,add Create a firewall; it is enabled at once'
                'view,get,show,describe Show a firewall with its rules'
                'update,set Change the label, the status or the tags of a firewall'
                'enable Put firewalls into force'
                'disable Take firewalls out of force; they keep rules and devices'
                'delete,rm,remove Delete a firewall; what it protected is protected no longer'
                'test Tell which rule decides about a packet, without sending one'
                'devices,device Services that a firewall is assigned to'
                'rules,rule Rules and policies of a firewall'
            )
            Flags = @()
            Arguments = @()
        }
        'firewalls list' = @{
            Commands = @()
            Flags = @(
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'firewalls create' = @{
            Commands = @()
            Flags = @(
                '--label= Label of the firewall, unique; 3 to 32 letters, digits and - _ . between them (required)'
                '--tag,--tags*= Tags to organize by; repeat it, or use commas'
                '--rules=@files Take the rules from a JSON or YAML file, - is stdin'
                '--inbound-policy=accept|drop What happens to inbound traffic that no rule matches: accept or drop (required, here or in the file)'
                '--outbound-policy=accept|drop What happens to outbound traffic that no rule matches: accept or drop (required, here or in the file)'
                '--compute-id*= Compute instances to protect; repeat it, or use commas'
                '--balancer-id= The one balancer to protect'
                '--if-absent Take what has this label already, if it is as asked for, instead of making another'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'firewalls view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls*')
        }
        'firewalls update' = @{
            Commands = @()
            Flags = @(
                '--label= Label of the firewall, unique; 3 to 32 letters, digits and - _ . between them'
                '--status=enabled|disabled Whether the firewall is in force: enabled, disabled'
                '--tag,--tags*= Tags to organize by; repeat it, or use commas'
                '--no-tags Empty the list of tags'
                '--add-tag*= Add to the tags that stand'
                '--remove-tag*= Remove from the tags that stand'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls')
        }
        'firewalls enable' = @{
            Commands = @()
            Flags = @(
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls*')
        }
        'firewalls disable' = @{
            Commands = @()
            Flags = @(
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls*')
        }
        'firewalls delete' = @{
            Commands = @()
            Flags = @(
                '--if-present Be content where it does not exist, or not any more'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls*')
        }
        'firewalls test' = @{
            Commands = @()
            Flags = @(
                '--file=@files Judge by the rules of a file; the service is not asked'
                '--cases=@files Judge all cases of a JSON or YAML file, - is stdin'
                '--direction=inbound|outbound inbound, or outbound (default with --to)'
                '--protocol=TCP|UDP|ICMP|IPENCAP tcp, udp, icmp or ipencap'
                '--port= Port that the packet goes to, with tcp and udp'
                '--from= Where an inbound packet comes from'
                '--to= Where an outbound packet goes to'
                '--service=compute|balancer compute, or balancer: there only inbound TCP is filtered'
                '--expect=ACCEPT|DROP End with exit code 13 where the verdict is another'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls')
        }
        'firewalls devices' = @{
            Commands = @(
                'list,ls List the services that a firewall is assigned to'
                'add,create Assign a firewall to a compute instance or a balancer'
                'view,get,show,describe Show a service that a firewall is assigned to'
                'delete,rm,remove Take a firewall away from a service'
            )
            Flags = @()
            Arguments = @()
        }
        'firewalls devices list' = @{
            Commands = @()
            Flags = @(
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls')
        }
        'firewalls devices add' = @{
            Commands = @()
            Flags = @(
                '--compute-id= Compute instance to protect'
                '--balancer-id= Balancer to protect: its inbound TCP traffic'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls')
        }
        'firewalls devices view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls', '*')
        }
        'firewalls devices delete' = @{
            Commands = @()
            Flags = @(
                '--if-present Be content where it does not exist, or not any more'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls', '*')
        }
        'firewalls rules' = @{
            Commands = @(
                'list,ls Show the rules and policies of a firewall'
                'update,set Replace the rules and policies of a firewall'
                'diff Show how the rules of a firewall differ from a file'
                'edit Change the rules of a firewall in your editor'
                'add Add a rule to a firewall'
                'remove,rm,delete Remove rules from a firewall'
                'move,mv Move a rule of a firewall to another place'
                'undo Put back the rules that stood before the last change from this machine'
            )
            Flags = @()
            Arguments = @()
        }
        'firewalls rules list' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls')
        }
        'firewalls rules update' = @{
            Commands = @()
            Flags = @(
                '--file,--body=@files Take the rules from a JSON or YAML file, - is stdin'
                '--inbound-policy=accept|drop What happens to inbound traffic that no rule matches: accept or drop'
                '--outbound-policy=accept|drop What happens to outbound traffic that no rule matches: accept or drop'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls')
        }
        'firewalls rules diff' = @{
            Commands = @()
            Flags = @(
                '--file,--body=@files Take the rules from a JSON or YAML file, - is stdin'
                '--inbound-policy=accept|drop What happens to inbound traffic that no rule matches: accept or drop'
                '--outbound-policy=accept|drop What happens to outbound traffic that no rule matches: accept or drop'
                '--exit-code End with exit code 13 where there is a difference'
                '--no-validate Compare what looks wrong here, too'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls')
        }
        'firewalls rules edit' = @{
            Commands = @()
            Flags = @(
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls')
        }
        'firewalls rules add' = @{
            Commands = @()
            Flags = @(
                '--action=accept|drop accept or drop (required)'
                '--protocol=tcp|udp|icmp|ipencap tcp, udp, icmp or ipencap (required)'
                '--ports= Ports such as 22,80-90, for tcp and udp; without it all of them'
                '--ipv4*= IPv4 networks; repeat it, or use commas'
                '--ipv6*= IPv6 networks; repeat it, or use commas'
                '--label= Name of the rule, 3 to 32 characters'
                '--description= Description of the rule, up to 100 characters'
                '--at= Put it at this place, counted from 1'
                '--body=@files Take the rule from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls', 'inbound|outbound')
        }
        'firewalls rules remove' = @{
            Commands = @()
            Flags = @(
                '--if-present Be content where it does not exist, or not any more'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls', 'inbound|outbound', '*')
        }
        'firewalls rules move' = @{
            Commands = @()
            Flags = @(
                '--at= The place, counted from 1 (required)'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls', 'inbound|outbound', '')
        }
        'firewalls rules undo' = @{
            Commands = @()
            Flags = @(
                '--even-if-changed Put them back over what somebody else has changed since'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@firewalls')
        }
        'profile' = @{
            Commands = @(
                'view,get,show,describe Show the acting user'
                'update,set Change the acting user'
                'grants Show what the acting user was granted; nothing for an unrestricted user, who may do everything'
                'apps,app OAuth apps that may access the account'
                'devices,device Browsers that need no code to log in'
                'logins,login Logins of the last 90 days'
                'phone The verified phone number'
                'preferences,preference What this OAuth client keeps for the user'
                'security-questions,security-question Questions that prove who you are'
                'sshkeys,sshkey,ssh-keys,ssh-key SSH public keys for new compute instances'
                'tfa Two-factor authentication'
            )
            Flags = @()
            Arguments = @()
        }
        'profile view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile update' = @{
            Commands = @()
            Flags = @(
                '--email= Address used for communication; fixed for a proxy user'
                '--email-notifications Tell account activity by email; business-critical mail always comes'
                '--no-email-notifications Tell account activity by email; business-critical mail always comes'
                '--shell-auth-method=password_keys|keys_only|disabled How the remote shell lets one in: password_keys, keys_only, disabled'
                '--timezone= Preferred time zone for display, such as Europe/Berlin'
                '--two-factor-auth Ask for a code at logins from untrusted computers; on through tfa setup'
                '--no-two-factor-auth Ask for a code at logins from untrusted computers; on through tfa setup'
                '--restricted Limit the user to what was granted'
                '--no-restricted Limit the user to what was granted'
                '--no-ip-whitelist-enabled Deprecated: it can only be switched off'
                '--authorized-key,--authorized-keys*= SSH public key of the remote shell; repeat it. They replace those that stand'
                '--authorized-keys-file=@files Take the keys from a file, a line each; - is stdin'
                '--no-authorized-keys Empty the list of keys'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile grants' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile apps' = @{
            Commands = @(
                'list,ls List the OAuth apps that may access the account'
                'view,get,show,describe Show an authorized app'
                'revoke,delete,rm,remove Take the access to the account from an app'
            )
            Flags = @()
            Arguments = @()
        }
        'profile apps list' = @{
            Commands = @()
            Flags = @(
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile apps view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@apps*')
        }
        'profile apps revoke' = @{
            Commands = @()
            Flags = @(
                '--even-if-current Revoke it although the token in use may be its own'
                '--if-present Be content where it does not exist, or not any more'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@apps*')
        }
        'profile devices' = @{
            Commands = @(
                'list,ls List the trusted devices'
                'view,get,show,describe Show a trusted device'
                'revoke,delete,rm,remove Make a trusted device log in again'
            )
            Flags = @()
            Arguments = @()
        }
        'profile devices list' = @{
            Commands = @()
            Flags = @(
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile devices view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('*')
        }
        'profile devices revoke' = @{
            Commands = @()
            Flags = @(
                '--if-present Be content where it does not exist, or not any more'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('*')
        }
        'profile logins' = @{
            Commands = @(
                'list,ls List the successful logins of the last 90 days'
                'view,get,show,describe Show a login'
            )
            Flags = @()
            Arguments = @()
        }
        'profile logins list' = @{
            Commands = @()
            Flags = @(
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile logins view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('*')
        }
        'profile phone' = @{
            Commands = @(
                'setup Verify a phone number, step by step'
                'send Send a code to a phone number, to verify it within 10 minutes'
                'verify Verify a phone number with the code that was sent to it'
                'delete,rm,remove Remove the verified phone number'
            )
            Flags = @()
            Arguments = @()
        }
        'profile phone setup' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile phone send' = @{
            Commands = @()
            Flags = @(
                '--iso-code= Two-letter ISO 3166 country code of the number (required)'
                '--phone-number= Phone number (required)'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile phone verify' = @{
            Commands = @()
            Flags = @(
                '--otp-code= Code from the message (required)'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile phone delete' = @{
            Commands = @()
            Flags = @(
                '--if-present Be content where it does not exist, or not any more'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile preferences' = @{
            Commands = @(
                'view,get,show,describe Show the preferences that this OAuth client keeps for the user'
                'set,update Replace the preferences that this OAuth client keeps for the user'
                'edit Change the preferences in an editor'
            )
            Flags = @()
            Arguments = @()
        }
        'profile preferences view' = @{
            Commands = @()
            Flags = @(
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile preferences set' = @{
            Commands = @()
            Flags = @(
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile preferences edit' = @{
            Commands = @()
            Flags = @(
                '--dry-run Print the request and send nothing'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile security-questions' = @{
            Commands = @(
                'list,ls List the security questions, and which are answered'
                'answer,set Answer three security questions; earlier answers are replaced'
            )
            Flags = @()
            Arguments = @()
        }
        'profile security-questions list' = @{
            Commands = @()
            Flags = @(
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile security-questions answer' = @{
            Commands = @()
            Flags = @(
                '--show-answers Show what is typed'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile sshkeys' = @{
            Commands = @(
                'list,ls List the SSH keys of the profile'
                'add,create Add an SSH public key to the profile'
                'view,get,show,describe Show an SSH key'
                'update,set Change the label of an SSH key; the key itself cannot change'
                'delete,rm,remove Take an SSH key from the profile; where it is deployed it stays'
            )
            Flags = @()
            Arguments = @()
        }
        'profile sshkeys list' = @{
            Commands = @()
            Flags = @(
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile sshkeys add' = @{
            Commands = @()
            Flags = @(
                '--label= Label of the key (required)'
                '--file=@files Take the public key from a file; - is stdin'
                '--ssh-key= The public key itself, as in a file that ends with .pub'
                '--if-absent Take what has this label already, if it is as asked for, instead of making another'
                '--allow-duplicate Give the label although another has it: only ids tell them apart then'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile sshkeys view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@sshkeys*')
        }
        'profile sshkeys update' = @{
            Commands = @()
            Flags = @(
                '--label= Label of the key (required)'
                '--allow-duplicate Give the label although another has it: only ids tell them apart then'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@sshkeys')
        }
        'profile sshkeys delete' = @{
            Commands = @()
            Flags = @(
                '--if-present Be content where it does not exist, or not any more'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@sshkeys*')
        }
        'profile tfa' = @{
            Commands = @(
                'setup Switch two-factor authentication on, step by step'
                'enable Create a two-factor secret; nothing changes until it is confirmed'
                'confirm Switch two-factor authentication on with a code from the authenticator app'
                'disable Switch two-factor authentication off: logins then need the password only'
            )
            Flags = @()
            Arguments = @()
        }
        'profile tfa setup' = @{
            Commands = @()
            Flags = @(
                '--scratch-file=@files Write the scratch code to this file, for you alone, instead of showing it'
                '--force Replace the file where there is one already'
                '--qr=utf8|ascii|none Draw the QR code as utf8, ascii or none'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile tfa enable' = @{
            Commands = @()
            Flags = @(
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile tfa confirm' = @{
            Commands = @()
            Flags = @(
                '--tfa-code= Current code from the authenticator app (required)'
                '--scratch-file=@files Write the scratch code to this file, for you alone, instead of showing it'
                '--force Replace the file where there is one already'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'profile tfa disable' = @{
            Commands = @()
            Flags = @(
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'tokens' = @{
            Commands = @(
                'list,ls List your personal access tokens'
                'create,add Create a personal access token; its text is shown once'
                'view,get,show,describe Show a personal access token'
                'update,set Change the label of a personal access token; its scopes cannot change'
                'revoke,delete,rm,remove Make a personal access token invalid at once'
                'rotate Replace a token by a new one of the same label and scopes'
            )
            Flags = @()
            Arguments = @()
        }
        'tokens list' = @{
            Commands = @()
            Flags = @(
                '--expiring= Only those that expire within this time, such as 14d'
                '--superseded Only those that were replaced and kept for a while'
                '--exit-code End with 13 where --expiring finds any'
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'tokens create' = @{
            Commands = @()
            Flags = @(
                '--label= Label of the token (required)'
                '--scope,--scopes*= What it may do, such as volumes:read_only; * is everything; repeat it, or use commas'
                '--scopes-for*= The least that a command needs, such as "volumes create"; repeat it, or use commas'
                '--expiry= When it expires: 90d, 12h, 2027-01-31, 2027-01-31T12:00:00 (UTC), or never'
                '--output-file=@files Write the token to this file, for you alone, instead of showing it'
                '--force Replace the file where there is one already'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'tokens view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@tokens*')
        }
        'tokens update' = @{
            Commands = @()
            Flags = @(
                '--label= Label of the token (required)'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@tokens')
        }
        'tokens revoke' = @{
            Commands = @()
            Flags = @(
                '--even-if-current Revoke it although it is the one in use'
                '--if-present Be content where it does not exist, or not any more'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@tokens*')
        }
        'tokens rotate' = @{
            Commands = @()
            Flags = @(
                '--expiry= When it expires: 90d, 12h, 2027-01-31, 2027-01-31T12:00:00 (UTC), or never'
                '--keep-old= Do not revoke the old token: leave it for this time to what uses it, such as 24h'
                '--output-file=@files Write the token to this file, for you alone, instead of showing it'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@tokens')
        }
        'ips' = @{
            Commands = @(
                'list,ls List the addresses, without the private ones'
                'view,get,show,describe Show an address'
                'allocate,create,add Allocate an IPv4 address to a compute instance'
                'assign Assign addresses and ranges to compute instances, all of them or none'
                'share Set which addresses are shared with a compute instance'
                'rdns Set the reverse DNS of an address; forward DNS must exist before'
            )
            Flags = @()
            Arguments = @()
        }
        'ips list' = @{
            Commands = @()
            Flags = @(
                '--region=@regions Only those of this region'
                '--compute-id= Only those of this compute instance'
                '--skip-ipv6-rdns Leave out the reverse DNS of IPv6 addresses, which is faster'
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'ips view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('*')
        }
        'ips allocate' = @{
            Commands = @()
            Flags = @(
                '--compute-id= Compute instance that gets it (required)'
                '--public Reachable from outside'
                '--no-public Reachable from outside'
                '--private Not reachable from outside; an instance has at most one'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'ips assign' = @{
            Commands = @()
            Flags = @(
                '--region=@regions Region of all addresses and instances (default: that of the first address)'
                '--family=ipv4 ipv4 uses the older-named endpoint, which does the same'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('*')
        }
        'ips share' = @{
            Commands = @()
            Flags = @(
                '--compute-id= Compute instance that may use them as well (required)'
                '--none End all sharing with it'
                '--family=ipv4 ipv4 uses the older-named endpoint, which does the same'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('*')
        }
        'ips rdns' = @{
            Commands = @()
            Flags = @(
                '--reset Go back to the default name'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('', '')
        }
        'ipv6' = @{
            Commands = @(
                'pools,pool Blocks of IPv6 addresses for all compute instances of a region'
                'ranges,range Blocks of IPv6 addresses, each routed to a compute instance'
            )
            Flags = @()
            Arguments = @()
        }
        'ipv6 pools' = @{
            Commands = @(
                'list,ls List the IPv6 pools'
            )
            Flags = @()
            Arguments = @()
        }
        'ipv6 pools list' = @{
            Commands = @()
            Flags = @(
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'ipv6 ranges' = @{
            Commands = @(
                'list,ls List the IPv6 ranges'
                'create,add Create an IPv6 range that is routed to a compute instance'
                'view,get,show,describe Show an IPv6 range and what it is routed to'
                'delete,rm,remove Delete an IPv6 range; its addresses are lost'
            )
            Flags = @()
            Arguments = @()
        }
        'ipv6 ranges list' = @{
            Commands = @()
            Flags = @(
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'ipv6 ranges create' = @{
            Commands = @()
            Flags = @(
                '--prefix-length= Prefix length: 56 or 64 (required)'
                '--compute-id= Compute instance that the range is routed to'
                '--route-target= SLAAC address that the range is routed to'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'ipv6 ranges view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('*')
        }
        'ipv6 ranges delete' = @{
            Commands = @()
            Flags = @(
                '--if-present Be content where it does not exist, or not any more'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('*')
        }
        'vlans' = @{
            Commands = @(
                'list,ls List the VLANs'
            )
            Flags = @()
            Arguments = @()
        }
        'vlans list' = @{
            Commands = @()
            Flags = @(
                '--region=@regions Only those of this region'
                '--filter*= Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'auth' = @{
            Commands = @(
                'login Sign in: prove a token, and keep it in a context'
                'logout Forget the token of a context'
                'status Show which service is used, with whose token'
            )
            Flags = @()
            Arguments = @()
        }
        'auth login' = @{
            Commands = @()
            Flags = @(
                '--with-token Read the token from stdin'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'auth logout' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'auth status' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'context' = @{
            Commands = @(
                'list,ls List the contexts'
                'use Make a context the one in use'
                'view,get,show,describe Show a context, without its token'
                'update,set Change the defaults of a context, or where its token comes from'
                'rename Give a context another name'
                'delete,rm,remove Delete a context with its token'
            )
            Flags = @()
            Arguments = @()
        }
        'context list' = @{
            Commands = @()
            Flags = @(
                '--limit= Stop after this many'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'context use' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@contexts')
        }
        'context view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@contexts')
        }
        'context update' = @{
            Commands = @()
            Flags = @(
                '--region=@regions Region of new volumes where none is given; "" for none'
                '--default-output=table|json|ndjson|yaml|csv|tsv Format of its output; "" for none'
                '--token-command= Shell command that prints the token; it replaces a stored token'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@contexts')
        }
        'context rename' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@contexts', '')
        }
        'context delete' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@contexts')
        }
        'api' = @{
            Commands = @()
            Flags = @(
                '--body=@files Send this JSON or YAML file; - is stdin'
                '--header,-H*= Add a header, such as ''X-Filter: {"label":"data"}'''
                '--paginate Read every page of a list, and print the items as one array'
                '--openapi Print the OpenAPI 3.1 document of the service instead; nothing is sent'
                '--dry-run Print the request and send nothing'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('GET|POST|PUT|DELETE', '')
        }
        'sandbox' = @{
            Commands = @(
                'start Run the sandbox as a server until Ctrl-C'
                'world List what the context "sandbox" holds: instances, users, tokens, volumes'
                'outbox List what a real service would have sent elsewhere, such as the SMS with a phone code'
                'reset Start the world of the context "sandbox" afresh'
            )
            Flags = @()
            Arguments = @()
        }
        'sandbox start' = @{
            Commands = @()
            Flags = @(
                '--port= Port on loopback (default: any that is free)'
                '--state=@files Keep the world in this file'
                '--memory Keep the world in memory (the default)'
                '--seed=@files Begin with this world (JSON or YAML, as sandbox world prints it; - is stdin)'
                '--clock= Begin at this time: 2026-01-31T12:00:00 (in UTC)'
                '--stop-clock Let time stand still until it is moved'
                '--transition= How long creating, cloning and resizing take (default 1000)'
                '--latency= Hold every answer back by this many milliseconds'
                '--fail*= Answer the next requests with failures: 429:3,500:1; 503:2:/volumes only below that path'
                '--drop-answer*= Do the next writes and lose their answers: 1, or 2:/volumes only below that path'
                '--rate-limit Enforce the rate limits of the service'
            )
            Arguments = @()
        }
        'sandbox world' = @{
            Commands = @()
            Flags = @(
                '--query= Choose from the JSON with a JMESPath expression'
            )
            Arguments = @()
        }
        'sandbox outbox' = @{
            Commands = @()
            Flags = @(
                '--limit= Stop after this many'
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'sandbox reset' = @{
            Commands = @()
            Flags = @(
                '--query= Choose from the JSON with a JMESPath expression'
            )
            Arguments = @()
        }
        'completion' = @{
            Commands = @(
                'bash Print the script that completes skyctl in bash'
                'zsh Print the script that completes skyctl in zsh'
                'fish Print the script that completes skyctl in fish'
                'powershell Print the script that completes skyctl in PowerShell'
            )
            Flags = @()
            Arguments = @()
        }
        'completion bash' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
        }
        'completion zsh' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
        }
        'completion fish' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
        }
        'completion powershell' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
        }
        'help' = @{
            Commands = @(
                'volumes,volume Block storage volumes'
                'regions,region Regions and what is available in them'
                'firewalls,firewall Firewalls, their rules and what they protect'
                'profile Who you are, and how you sign in'
                'tokens,token Personal access tokens'
                'ips,ip Addresses: allocate, assign, share, reverse DNS'
                'ipv6 IPv6 pools and ranges'
                'vlans,vlan Virtual local area networks'
                'auth Sign in and out, and see who you are'
                'context,contexts Accounts that you have signed in to, and their defaults'
                'api Send any request to the service'
                'sandbox The embedded service: try things, test scripts'
                'completion Completion for bash, zsh, fish and PowerShell'
            )
            Flags = @(
                '--limit= Stop after this many'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('exit-codes|environment|output|references|find*')
        }
    }
    $globals = @(
        '--context=@contexts Account to act on; "sandbox" is built in'
        '--base-url= Address of the service, up to and including /v4'
        '--output,-o=table|json|ndjson|yaml|csv|tsv Print as table, json, ndjson, yaml, csv, tsv'
        '--json The same as --output json'
        '--quiet,-q Print ids only, and no messages'
        '--yes,-y Answer every question with yes'
        '--color=auto|always|never Use colour: auto, always, never'
        '--timeout= Give up after this time (default 2m)'
        '--retries= How often to try again what is safe to repeat (default 2)'
        '--max-wait= Longest wait that the service may ask for (default 60s)'
        '--verbose,-v Say what is tried again, and why'
        '--debug Show requests and answers, without secrets'
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
        if ($name) {
            # How other names are encoded, skyctl itself knows best.
            if ($name -notmatch '^[A-Za-z0-9_-][A-Za-z0-9_.-]*$') { return }
        } else {
            if (-not [IO.File]::Exists("$folder/.current")) { return }
            $name = [IO.File]::ReadAllText("$folder/.current").Trim()
            if ($name -notmatch '^[^/\\]+$') { return }
        }
        if ($name -ceq 'sandbox' -or -not "$env:SKYCTL_TOKEN$env:SKYCTL_BASE_URL") { "$folder/$name/$kind" }
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
        } else {
            $child = Invoke-Names $kind '2s'
            if ($child) { $child.StandardOutput.ReadToEnd() -split '\r?\n' | Where-Object { $_ } }
        }
    }

    # Completions with VALUES, behind a prefix such as "--output=".
    function Get-Completions($values, $prefix, $typed) {
        $values = $values.TrimEnd('*')
        if ($values -eq '@files') {
            foreach ($one in [Management.Automation.CompletionCompleters]::CompleteFilename($typed)) {
                [Management.Automation.CompletionResult]::new(
                    "$prefix$($one.CompletionText)", $one.ListItemText, $one.ResultType, $one.ToolTip)
            }
        } elseif ($values.StartsWith('@')) {
            foreach ($line in Get-KeptNames $values.Substring(1)) {
                $name, $note = $line.Split([char]9)
                if ($name.StartsWith($typed, 'Ordinal')) { New-Completion $prefix $name $note }
                elseif ($typed -match '^[1-9]' -and "$note".StartsWith($typed, 'Ordinal')) {
                    New-Completion $prefix $note $name
                }
            }
        } elseif ($values) {
            foreach ($name in $values.Split('|')) {
                if ($name.StartsWith($typed, 'Ordinal')) { New-Completion $prefix $name }
            }
        }
    }

    $typed = $wordToComplete -replace '^["'']|["'']$'
    $before = $commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition }
    $path = ''
    $rows = $places['']
    $given = @()
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
        if ($position -le $last) { Get-Completions $rows.Arguments[$position] '' $typed }
        elseif ($last -ge 0 -and $rows.Arguments[$last].EndsWith('*')) {
            Get-Completions $rows.Arguments[$last] '' $typed
        }
    }
}
