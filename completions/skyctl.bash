# bash completion for skyctl, made from its commands.
#   source <(skyctl completion bash)
# How the scripts of all shells work: src/generate/shells/README.md in the sources of skyctl.
#
# For bash 3.2, which macOS has, and newer. Names from the account are quoted before they are offered and nothing is ever
# evaluated: no eval, no `compgen -W`, no unquoted expansion. Functions set the variables of _skyctl, which calls them.

# Sets commands, flags, arguments and fields to those of a place.
__skyctl_place() {
  commands=() flags=() arguments=() fields=()
  case $1 in
  '')
    commands=('volumes,volume' 'regions,region' 'firewalls,firewall' 'ips,ip' 'ipv6' 'vlans,vlan' 'profile' 'tokens,token' 'export' 'plan' 'apply' 'overview' 'audit' 'doctor' 'history' 'auth' 'context,contexts' 'api' 'sandbox' 'completion' 'version' 'help')
    flags=('--version,-V')
    ;;
  'volumes')
    commands=('list,ls' 'create,add' 'view,get,show,describe' 'update,set' 'delete,rm,remove' 'attach' 'detach' 'resize' 'clone' 'wait')
    ;;
  'volumes list')
    flags=('--filter*=@filter' '--limit=' '--page=' '--page-size=' '--concurrency=' '--max-memory=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes create')
    flags=('--label=' '--size=' '--region=@regions' '--compute-id=@computes' '--config-id=' '--tag,--tags*=' '--if-absent' '--allow-duplicate' '--body=@files' '--no-validate' '--wait' '--wait-timeout=' '--concurrency=' '--journal=@files' '--resume=@files' '--resend-unknown' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes view')
    flags=('--concurrency=' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@volumes*')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes update')
    flags=('--label=' '--tag,--tags*=' '--no-tags' '--add-tag*=' '--remove-tag*=' '--allow-duplicate' '--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@volumes')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes delete')
    flags=('--if-present' '--force' '--concurrency=' '--journal=@files' '--resume=@files' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@volumes*')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes attach')
    flags=('--compute-id=@computes' '--config-id=' '--persist-across-boots' '--no-persist-across-boots' '--body=@files' '--no-validate' '--wait' '--wait-timeout=' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@volumes')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes detach')
    flags=('--if-present' '--force' '--wait' '--wait-timeout=' '--concurrency=' '--journal=@files' '--resume=@files' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@volumes*')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes resize')
    flags=('--size=' '--body=@files' '--no-validate' '--wait' '--wait-timeout=' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@volumes')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes clone')
    flags=('--label=' '--allow-duplicate' '--body=@files' '--no-validate' '--wait' '--wait-timeout=' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@volumes')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'volumes wait')
    flags=('--for=active|attached|detached|deleted' '--wait-timeout=' '--concurrency=' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@volumes*')
    fields=('id' 'label' 'status=creating|active|resizing' 'size' 'region=@regions' 'compute_id=none' 'compute_label=none' 'filesystem_path' 'hardware_type=hdd|nvme' 'tags=none' 'created' 'updated')
    ;;
  'regions')
    commands=('list,ls' 'view,get,show,describe' 'availability')
    ;;
  'regions list')
    flags=('--filter*=@filter' '--limit=' '--page=' '--page-size=' '--concurrency=' '--max-memory=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('id' 'label' 'country' 'capabilities=none' 'status=ok|outage' 'resolvers.ipv4' 'resolvers.ipv6')
    ;;
  'regions view')
    flags=('--concurrency=' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@regions*')
    fields=('id' 'label' 'country' 'capabilities=none' 'status=ok|outage' 'resolvers.ipv4' 'resolvers.ipv6')
    ;;
  'regions availability')
    flags=('--filter*=@filter' '--limit=' '--page=' '--page-size=' '--concurrency=' '--max-memory=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@regions')
    fields=('region=@regions' 'plan' 'available=true|false')
    ;;
  'firewalls')
    commands=('list,ls' 'create,add' 'view,get,show,describe' 'update,set' 'enable' 'disable' 'delete,rm,remove' 'open' 'close' 'sweep' 'test' 'devices,device' 'rules,rule')
    ;;
  'firewalls list')
    flags=('--filter*=@filter' '--limit=' '--page=' '--page-size=' '--concurrency=' '--max-memory=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('id' 'label' 'status=enabled|disabled|deleted' 'rules.inbound=none' 'rules.inbound_policy=ACCEPT|DROP' 'rules.outbound=none' 'rules.outbound_policy=ACCEPT|DROP' 'tags=none' 'created' 'updated')
    ;;
  'firewalls create')
    flags=('--label=' '--tag,--tags*=' '--file=@files' '--inbound-policy=accept|drop' '--outbound-policy=accept|drop' '--compute-id*=,@computes' '--balancer-id=@balancers' '--keep-open*=' '--allow-lockout' '--if-absent' '--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('id' 'label' 'status=enabled|disabled|deleted' 'rules.inbound=none' 'rules.inbound_policy=ACCEPT|DROP' 'rules.outbound=none' 'rules.outbound_policy=ACCEPT|DROP' 'tags=none' 'created' 'updated')
    ;;
  'firewalls view')
    flags=('--concurrency=' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls*')
    fields=('id' 'label' 'status=enabled|disabled|deleted' 'rules.inbound=none' 'rules.inbound_policy=ACCEPT|DROP' 'rules.outbound=none' 'rules.outbound_policy=ACCEPT|DROP' 'tags=none' 'created' 'updated')
    ;;
  'firewalls update')
    flags=('--label=' '--status=enabled|disabled' '--tag,--tags*=' '--no-tags' '--add-tag*=' '--remove-tag*=' '--keep-open*=' '--allow-lockout' '--force' '--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls')
    fields=('id' 'label' 'status=enabled|disabled|deleted' 'rules.inbound=none' 'rules.inbound_policy=ACCEPT|DROP' 'rules.outbound=none' 'rules.outbound_policy=ACCEPT|DROP' 'tags=none' 'created' 'updated')
    ;;
  'firewalls enable')
    flags=('--keep-open*=' '--allow-lockout' '--concurrency=' '--journal=@files' '--resume=@files' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls*')
    fields=('id' 'label' 'status=enabled|disabled|deleted' 'rules.inbound=none' 'rules.inbound_policy=ACCEPT|DROP' 'rules.outbound=none' 'rules.outbound_policy=ACCEPT|DROP' 'tags=none' 'created' 'updated')
    ;;
  'firewalls disable')
    flags=('--force' '--concurrency=' '--journal=@files' '--resume=@files' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls*')
    fields=('id' 'label' 'status=enabled|disabled|deleted' 'rules.inbound=none' 'rules.inbound_policy=ACCEPT|DROP' 'rules.outbound=none' 'rules.outbound_policy=ACCEPT|DROP' 'tags=none' 'created' 'updated')
    ;;
  'firewalls delete')
    flags=('--if-present' '--force' '--concurrency=' '--journal=@files' '--resume=@files' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls*')
    fields=('id' 'label' 'status=enabled|disabled|deleted' 'rules.inbound=none' 'rules.inbound_policy=ACCEPT|DROP' 'rules.outbound=none' 'rules.outbound_policy=ACCEPT|DROP' 'tags=none' 'created' 'updated')
    ;;
  'firewalls open')
    flags=('--port=' '--protocol=tcp|udp|icmp|ipencap' '--from*=' '--for=' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls' '*')
    ;;
  'firewalls close')
    flags=('--from*=' '--mark*=' '--concurrency=' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls*')
    ;;
  'firewalls sweep')
    flags=('--concurrency=' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls*')
    ;;
  'firewalls test')
    flags=('--file=@files' '--cases=@files' '--direction=inbound|outbound' '--protocol=tcp|udp|icmp|ipencap' '--port=' '--from=' '--to=' '--service=compute|balancer' '--expect=ACCEPT|DROP' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls')
    ;;
  'firewalls devices')
    commands=('list,ls' 'add,create' 'view,get,show,describe' 'delete,rm,remove')
    ;;
  'firewalls devices list')
    flags=('--filter*=@filter' '--limit=' '--page=' '--page-size=' '--concurrency=' '--max-memory=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls')
    fields=('id' 'entity.id' 'entity.label=none' 'entity.type=compute|balancer' 'entity.url' 'created' 'updated')
    ;;
  'firewalls devices add')
    flags=('--compute-id*=,@computes' '--balancer-id=@balancers' '--body=@files' '--no-validate' '--keep-open*=' '--allow-lockout' '--concurrency=' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls')
    fields=('id' 'entity.id' 'entity.label=none' 'entity.type=compute|balancer' 'entity.url' 'created' 'updated')
    ;;
  'firewalls devices view')
    flags=('--concurrency=' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls' '*')
    fields=('id' 'entity.id' 'entity.label=none' 'entity.type=compute|balancer' 'entity.url' 'created' 'updated')
    ;;
  'firewalls devices delete')
    flags=('--compute-id*=,@computes' '--balancer-id=@balancers' '--if-present' '--force' '--concurrency=' '--journal=@files' '--resume=@files' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls' '*')
    fields=('id' 'entity.id' 'entity.label=none' 'entity.type=compute|balancer' 'entity.url' 'created' 'updated')
    ;;
  'firewalls rules')
    commands=('list,ls' 'update,set,replace' 'diff' 'edit' 'add' 'remove,rm,delete' 'move,mv' 'undo')
    ;;
  'firewalls rules list')
    flags=('--hash' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls')
    ;;
  'firewalls rules update')
    flags=('--file,--body=@files' '--inbound-policy=accept|drop' '--outbound-policy=accept|drop' '--if-match=' '--no-validate' '--keep-open*=' '--allow-lockout' '--confirm-within=' '--keep-if=' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw' '--force')
    arguments=('@firewalls')
    ;;
  'firewalls rules diff')
    flags=('--file,--body=@files' '--inbound-policy=accept|drop' '--outbound-policy=accept|drop' '--exit-code' '--no-validate' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls')
    ;;
  'firewalls rules edit')
    flags=('--no-validate' '--keep-open*=' '--allow-lockout' '--confirm-within=' '--keep-if=' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw' '--force')
    arguments=('@firewalls')
    ;;
  'firewalls rules add')
    flags=('--action=accept|drop' '--protocol=tcp|udp|icmp|ipencap' '--port=' '--from*=' '--to*=' '--label=' '--description=' '--at=' '--file,--body=@files' '--if-absent' '--if-match=' '--concurrency=' '--no-validate' '--keep-open*=' '--allow-lockout' '--confirm-within=' '--keep-if=' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw' '--force')
    arguments=('@firewalls' 'inbound|outbound' '@firewalls*')
    ;;
  'firewalls rules remove')
    flags=('--if-present' '--if-match=' '--no-validate' '--keep-open*=' '--allow-lockout' '--confirm-within=' '--keep-if=' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw' '--force')
    arguments=('@firewalls' 'inbound|outbound' '@rules*')
    ;;
  'firewalls rules move')
    flags=('--at=' '--if-match=' '--no-validate' '--keep-open*=' '--allow-lockout' '--confirm-within=' '--keep-if=' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw' '--force')
    arguments=('@firewalls' 'inbound|outbound' '@rules')
    ;;
  'firewalls rules undo')
    flags=('--force' '--no-validate' '--keep-open*=' '--allow-lockout' '--confirm-within=' '--keep-if=' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@firewalls')
    ;;
  'ips')
    commands=('list,ls' 'view,get,show,describe' 'allocate,create,add' 'assign' 'share' 'rdns')
    ;;
  'ips list')
    flags=('--region=@regions' '--compute-id=@computes' '--skip-ipv6-rdns' '--filter*=@filter' '--limit=' '--page=' '--page-size=' '--concurrency=' '--max-memory=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('address' 'type=ipv4|ipv6|ipv6/pool|ipv6/range' 'public=true|false' 'compute_id=none' 'region=@regions' 'rdns=none' 'gateway=none' 'subnet_mask=none' 'prefix' 'vpc_nat_1_1.address=none' 'vpc_nat_1_1.subnet_id=none' 'vpc_nat_1_1.vpc_id=none')
    ;;
  'ips view')
    flags=('--concurrency=' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('*')
    fields=('address' 'type=ipv4|ipv6|ipv6/pool|ipv6/range' 'public=true|false' 'compute_id=none' 'region=@regions' 'rdns=none' 'gateway=none' 'subnet_mask=none' 'prefix' 'vpc_nat_1_1.address=none' 'vpc_nat_1_1.subnet_id=none' 'vpc_nat_1_1.vpc_id=none')
    ;;
  'ips allocate')
    flags=('--compute-id=@computes' '--public' '--no-public' '--private' '--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('address' 'type=ipv4|ipv6|ipv6/pool|ipv6/range' 'public=true|false' 'compute_id=none' 'region=@regions' 'rdns=none' 'gateway=none' 'subnet_mask=none' 'prefix' 'vpc_nat_1_1.address=none' 'vpc_nat_1_1.subnet_id=none' 'vpc_nat_1_1.vpc_id=none')
    ;;
  'ips assign')
    flags=('--region=@regions' '--family=ipv4' '--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('*')
    ;;
  'ips share')
    flags=('--compute-id=@computes' '--none' '--family=ipv4' '--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('*')
    ;;
  'ips rdns')
    flags=('--reset' '--body=@files' '--no-validate' '--concurrency=' '--journal=@files' '--resume=@files' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('' '')
    fields=('address' 'type=ipv4|ipv6|ipv6/pool|ipv6/range' 'public=true|false' 'compute_id=none' 'region=@regions' 'rdns=none' 'gateway=none' 'subnet_mask=none' 'prefix' 'vpc_nat_1_1.address=none' 'vpc_nat_1_1.subnet_id=none' 'vpc_nat_1_1.vpc_id=none')
    ;;
  'ipv6')
    commands=('pools,pool' 'ranges,range')
    ;;
  'ipv6 pools')
    commands=('list,ls')
    ;;
  'ipv6 pools list')
    flags=('--filter*=@filter' '--limit=' '--page=' '--page-size=' '--concurrency=' '--max-memory=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('range' 'prefix' 'region=@regions' 'route_target=none')
    ;;
  'ipv6 ranges')
    commands=('list,ls' 'create,add' 'view,get,show,describe' 'delete,rm,remove')
    ;;
  'ipv6 ranges list')
    flags=('--filter*=@filter' '--limit=' '--page=' '--page-size=' '--concurrency=' '--max-memory=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('range' 'prefix' 'region=@regions' 'route_target=none')
    ;;
  'ipv6 ranges create')
    flags=('--prefix-length=56|64' '--compute-id=@computes' '--route-target=' '--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('range' 'route_target')
    ;;
  'ipv6 ranges view')
    flags=('--concurrency=' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('*')
    fields=('range' 'prefix' 'region=@regions' 'is_bgp=true|false' 'computes=none')
    ;;
  'ipv6 ranges delete')
    flags=('--if-present' '--concurrency=' '--journal=@files' '--resume=@files' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('*')
    fields=('range' 'prefix' 'region=@regions' 'is_bgp=true|false' 'computes=none')
    ;;
  'vlans')
    commands=('list,ls')
    ;;
  'vlans list')
    flags=('--region=@regions' '--filter*=@filter' '--limit=' '--page=' '--page-size=' '--concurrency=' '--max-memory=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('label' 'region=@regions' 'computes=none' 'created')
    ;;
  'profile')
    commands=('view,get,show,describe' 'update,set' 'grants' 'apps,app' 'devices,device' 'logins,login' 'phone' 'preferences,preference' 'security-questions,security-question' 'sshkeys,sshkey,ssh-keys,ssh-key' 'tfa')
    ;;
  'profile view')
    flags=('--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('username' 'uid' 'email' 'authentication_type=password|idp' 'restricted=true|false' 'two_factor_auth=true|false' 'email_notifications=true|false' 'ip_whitelist_enabled=true|false' 'shell_auth_method=password_keys|keys_only|disabled' 'authorized_keys=none' 'timezone' 'verified_phone_number=none' 'referrals.code=none' 'referrals.url=none' 'referrals.total=none' 'referrals.completed=none' 'referrals.pending=none' 'referrals.credit=none')
    ;;
  'profile update')
    flags=('--email=' '--email-notifications' '--no-email-notifications' '--shell-auth-method=password_keys|keys_only|disabled' '--timezone=' '--two-factor-auth' '--no-two-factor-auth' '--restricted' '--no-restricted' '--no-ip-whitelist-enabled' '--authorized-key,--authorized-keys*=' '--authorized-keys-file=@files' '--no-authorized-keys' '--add-authorized-key*=' '--remove-authorized-key*=' '--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('username' 'uid' 'email' 'authentication_type=password|idp' 'restricted=true|false' 'two_factor_auth=true|false' 'email_notifications=true|false' 'ip_whitelist_enabled=true|false' 'shell_auth_method=password_keys|keys_only|disabled' 'authorized_keys=none' 'timezone' 'verified_phone_number=none' 'referrals.code=none' 'referrals.url=none' 'referrals.total=none' 'referrals.completed=none' 'referrals.pending=none' 'referrals.credit=none')
    ;;
  'profile grants')
    flags=('--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    ;;
  'profile apps')
    commands=('list,ls' 'view,get,show,describe' 'revoke,delete,rm,remove')
    ;;
  'profile apps list')
    flags=('--filter*=@filter' '--limit=' '--page=' '--page-size=' '--concurrency=' '--max-memory=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('id' 'label' 'scopes' 'website' 'thumbnail_url=none' 'created' 'expiry=none')
    ;;
  'profile apps view')
    flags=('--concurrency=' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@apps*')
    fields=('id' 'label' 'scopes' 'website' 'thumbnail_url=none' 'created' 'expiry=none')
    ;;
  'profile apps revoke')
    flags=('--force' '--if-present' '--concurrency=' '--journal=@files' '--resume=@files' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@apps*')
    fields=('id' 'label' 'scopes' 'website' 'thumbnail_url=none' 'created' 'expiry=none')
    ;;
  'profile devices')
    commands=('list,ls' 'view,get,show,describe' 'revoke,delete,rm,remove')
    ;;
  'profile devices list')
    flags=('--filter*=@filter' '--limit=' '--page=' '--page-size=' '--concurrency=' '--max-memory=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('id' 'user_agent' 'last_remote_addr' 'last_authenticated' 'created' 'expiry')
    ;;
  'profile devices view')
    flags=('--concurrency=' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('*')
    fields=('id' 'user_agent' 'last_remote_addr' 'last_authenticated' 'created' 'expiry')
    ;;
  'profile devices revoke')
    flags=('--if-present' '--concurrency=' '--journal=@files' '--resume=@files' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('*')
    fields=('id' 'user_agent' 'last_remote_addr' 'last_authenticated' 'created' 'expiry')
    ;;
  'profile logins')
    commands=('list,ls' 'view,get,show,describe')
    ;;
  'profile logins list')
    flags=('--filter*=@filter' '--limit=' '--page=' '--page-size=' '--concurrency=' '--max-memory=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('id' 'datetime' 'ip' 'username' 'restricted=true|false' 'status=successful|failed')
    ;;
  'profile logins view')
    flags=('--concurrency=' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('*')
    fields=('id' 'datetime' 'ip' 'username' 'restricted=true|false' 'status=successful|failed')
    ;;
  'profile phone')
    commands=('setup' 'send' 'verify' 'delete,rm,remove')
    ;;
  'profile phone setup')
    ;;
  'profile phone send')
    flags=('--iso-code=' '--phone-number=' '--body=@files' '--no-validate' '--dry-run')
    ;;
  'profile phone verify')
    flags=('--otp-code=' '--body=@files' '--no-validate' '--dry-run')
    ;;
  'profile phone delete')
    flags=('--if-present' '--dry-run')
    ;;
  'profile preferences')
    commands=('view,get,show,describe' 'set,update' 'edit')
    ;;
  'profile preferences view')
    flags=('--no-headers' '--query=' '--raw')
    ;;
  'profile preferences set')
    flags=('--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    ;;
  'profile preferences edit')
    flags=('--dry-run' '--no-headers' '--query=' '--raw')
    ;;
  'profile security-questions')
    commands=('list,ls' 'answer,set')
    ;;
  'profile security-questions list')
    flags=('--filter*=@filter' '--limit=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('security_questions=none')
    ;;
  'profile security-questions answer')
    flags=('--show-answers' '--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('security_questions=none')
    ;;
  'profile sshkeys')
    commands=('list,ls' 'add,create' 'view,get,show,describe' 'update,set' 'delete,rm,remove')
    ;;
  'profile sshkeys list')
    flags=('--filter*=@filter' '--limit=' '--page=' '--page-size=' '--concurrency=' '--max-memory=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('id' 'label' 'ssh_key' 'created')
    ;;
  'profile sshkeys add')
    flags=('--label=' '--file=@files' '--ssh-key=' '--if-absent' '--allow-duplicate' '--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('id' 'label' 'ssh_key' 'created')
    ;;
  'profile sshkeys view')
    flags=('--concurrency=' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@sshkeys*')
    fields=('id' 'label' 'ssh_key' 'created')
    ;;
  'profile sshkeys update')
    flags=('--label=' '--allow-duplicate' '--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@sshkeys')
    fields=('id' 'label' 'ssh_key' 'created')
    ;;
  'profile sshkeys delete')
    flags=('--if-present' '--concurrency=' '--journal=@files' '--resume=@files' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@sshkeys*')
    fields=('id' 'label' 'ssh_key' 'created')
    ;;
  'profile tfa')
    commands=('setup' 'enable' 'confirm' 'disable')
    ;;
  'profile tfa setup')
    flags=('--scratch-file=@files' '--force' '--qr=utf8|ascii|none' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    ;;
  'profile tfa enable')
    flags=('--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('secret' 'expiry')
    ;;
  'profile tfa confirm')
    flags=('--tfa-code=' '--scratch-file=@files' '--force' '--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('scratch')
    ;;
  'profile tfa disable')
    flags=('--dry-run')
    ;;
  'tokens')
    commands=('list,ls' 'create,add' 'view,get,show,describe' 'update,set' 'revoke,delete,rm,remove' 'rotate')
    ;;
  'tokens list')
    flags=('--expiring=' '--superseded' '--due' '--exit-code' '--filter*=@filter' '--limit=' '--page=' '--page-size=' '--concurrency=' '--max-memory=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('id' 'label' 'scopes' 'created' 'expiry=none' 'token')
    ;;
  'tokens create')
    flags=('--label=' '--scope,--scopes*=,*|account:read_only|account:read_write|child_account:read_only|child_account:read_write|computes:read_only|computes:read_write|databases:read_only|databases:read_write|domains:read_only|domains:read_write|events:read_only|events:read_write|firewall:read_only|firewall:read_write|images:read_only|images:read_write|ips:read_only|ips:read_write|monitor:read_only|monitor:read_write|balancers:read_only|balancers:read_write|object_storage:read_only|object_storage:read_write|scripts:read_only|scripts:read_write|volumes:read_only|volumes:read_write|vpc:read_only|vpc:read_write|ips:read' '--scopes-for*=,volumes+list|volumes+create|volumes+view|volumes+update|volumes+delete|volumes+attach|volumes+detach|volumes+resize|volumes+clone|volumes+wait|regions+list|regions+view|regions+availability|firewalls+list|firewalls+create|firewalls+view|firewalls+update|firewalls+enable|firewalls+disable|firewalls+delete|firewalls+open|firewalls+close|firewalls+sweep|firewalls+test|firewalls+devices+list|firewalls+devices+add|firewalls+devices+view|firewalls+devices+delete|firewalls+rules+list|firewalls+rules+update|firewalls+rules+diff|firewalls+rules+edit|firewalls+rules+add|firewalls+rules+remove|firewalls+rules+move|firewalls+rules+undo|ips+list|ips+view|ips+allocate|ips+assign|ips+share|ips+rdns|ipv6+pools+list|ipv6+ranges+list|ipv6+ranges+create|ipv6+ranges+view|ipv6+ranges+delete|vlans+list|profile+view|profile+update|profile+grants|profile+apps+list|profile+apps+view|profile+apps+revoke|profile+devices+list|profile+devices+view|profile+devices+revoke|profile+logins+list|profile+logins+view|profile+phone+setup|profile+phone+send|profile+phone+verify|profile+phone+delete|profile+preferences+view|profile+preferences+set|profile+preferences+edit|profile+security-questions+list|profile+security-questions+answer|profile+sshkeys+list|profile+sshkeys+add|profile+sshkeys+view|profile+sshkeys+update|profile+sshkeys+delete|profile+tfa+setup|profile+tfa+enable|profile+tfa+confirm|profile+tfa+disable|tokens+list|tokens+create|tokens+view|tokens+update|tokens+revoke|tokens+rotate|export|plan|apply|overview|audit|doctor|auth+status' '--expiry=' '--output-file=@files' '--force' '--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('id' 'label' 'scopes' 'created' 'expiry=none' 'token')
    ;;
  'tokens view')
    flags=('--concurrency=' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@tokens*')
    fields=('id' 'label' 'scopes' 'created' 'expiry=none' 'token')
    ;;
  'tokens update')
    flags=('--label=' '--body=@files' '--no-validate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@tokens')
    fields=('id' 'label' 'scopes' 'created' 'expiry=none' 'token')
    ;;
  'tokens revoke')
    flags=('--force' '--if-present' '--concurrency=' '--journal=@files' '--resume=@files' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@tokens*')
    fields=('id' 'label' 'scopes' 'created' 'expiry=none' 'token')
    ;;
  'tokens rotate')
    flags=('--expiry=' '--keep-old=' '--output-file=@files' '--force' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@tokens')
    fields=('id' 'label' 'scopes' 'created' 'expiry=none' 'token')
    ;;
  'export')
    flags=('--owner=' '--filter*=' '--into=@files' '--schema')
    arguments=('volumes|firewalls|sshkeys|ips|rdns|tokens|profile*')
    ;;
  'plan')
    flags=('--only*=volumes|firewalls|sshkeys|ips|rdns|tokens|profile' '--prune' '--adopt' '--max-deletes=' '--exit-code' '--drift' '--out=@files' '--force' '--keep-open*=' '--allow-lockout' '--full' '--output,-o=table|json|ndjson|yaml|csv|tsv|markdown' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@files*')
    ;;
  'apply')
    flags=('--only*=volumes|firewalls|sshkeys|ips|rdns|tokens|profile' '--prune' '--adopt' '--max-deletes=' '--force' '--outputs=@files' '--keep-open*=' '--allow-lockout' '--concurrency=' '--wait-timeout=' '--confirm-within=' '--keep-if=' '--dry-run' '--full' '--output,-o=table|json|ndjson|yaml|csv|tsv|markdown' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@files*')
    ;;
  'overview')
    flags=('--output,-o=table|json|ndjson|yaml|csv|tsv|mermaid' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    ;;
  'audit')
    flags=('--fail-on=critical|high|medium|low' '--ignore=@files' '--code*=,two-factor-off|database-port-open|admin-port-open|internal-port-open|inbound-policy-accept|unknown-protocol-open|opening-expired|instance-unprotected|balancer-unprotected|token-full-scope|ssh-key-weak|large-network-open|wide-range-open|amplifier-port-open|failed-logins|security-questions-unanswered|token-never-expires|token-expires-soon|app-write-scopes|device-trusted-long|firewall-disabled|rule-not-judged|outbound-open|rule-never-matches|firewall-unused|rule-budget|address-budget|token-long-lived|ssh-key-twice|volume-label-twice|ssh-key-label-twice|token-label-twice|volume-unattached|address-without-rdns' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    ;;
  'doctor')
    flags=('--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    ;;
  'history')
    commands=('list,ls' 'view,get,show,describe' 'undo' 'clear')
    ;;
  'history list')
    flags=('--filter*=@filter' '--limit=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    fields=('number' 'time' 'context=none' 'service' 'uid=none' 'username=none' 'command' 'apply=none' 'method' 'path' 'kind=none' 'id=none' 'label=none' 'outcome=ok|failed|unknown' 'code=none' 'status=none' 'request_ids=none' 'next=none' 'undo=none' 'no_undo=none')
    ;;
  'history view')
    flags=('--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('')
    fields=('number' 'time' 'context=none' 'service' 'uid=none' 'username=none' 'command' 'apply=none' 'method' 'path' 'kind=none' 'id=none' 'label=none' 'outcome=ok|failed|unknown' 'code=none' 'status=none' 'request_ids=none' 'next=none' 'undo=none' 'no_undo=none' 'before=none')
    ;;
  'history undo')
    flags=('--apply=' '--force' '--keep-open*=' '--allow-lockout' '--allow-duplicate' '--dry-run' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('')
    ;;
  'history clear')
    ;;
  'auth')
    commands=('login' 'logout' 'status')
    ;;
  'auth login')
    flags=('--with-token')
    ;;
  'auth logout')
    arguments=('@contexts')
    ;;
  'auth status')
    flags=('--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    ;;
  'context')
    commands=('list,ls' 'use' 'view,get,show,describe' 'update,set' 'rename' 'delete,rm,remove')
    ;;
  'context list')
    flags=('--limit=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    ;;
  'context use')
    arguments=('@contexts')
    ;;
  'context view')
    flags=('--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('@contexts')
    ;;
  'context update')
    flags=('--region=@regions' '--default-output=table|json|ndjson|yaml|csv|tsv' '--keep-open*=' '--no-keep-open' '--networks=@files' '--token-command=')
    arguments=('@contexts')
    ;;
  'context rename')
    arguments=('@contexts' '')
    ;;
  'context delete')
    arguments=('@contexts')
    ;;
  'api')
    flags=('--body=@files' '--header,-H*=' '--paginate' '--openapi' '--dry-run' '--max-memory=' '--no-headers' '--query=' '--raw')
    arguments=('GET|POST|PUT|DELETE' '')
    ;;
  'sandbox')
    commands=('start' 'world' 'outbox' 'reset')
    ;;
  'sandbox start')
    flags=('--port=' '--state=@files' '--memory' '--seed=@files' '--clock=' '--stop-clock' '--transition=' '--latency=' '--fail*=' '--drop-answer*=' '--rate-limit' '--strict')
    ;;
  'sandbox world')
    flags=('--query=')
    ;;
  'sandbox outbox')
    flags=('--limit=' '--sort*=,@sort' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    ;;
  'sandbox reset')
    ;;
  'completion')
    commands=('bash' 'zsh' 'fish' 'powershell')
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
    flags=('--check' '--from=' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    ;;
  'help')
    commands=('volumes,volume' 'regions,region' 'firewalls,firewall' 'ips,ip' 'ipv6' 'vlans,vlan' 'profile' 'tokens,token' 'export' 'plan' 'apply' 'overview' 'audit' 'doctor' 'history' 'auth' 'context,contexts' 'api' 'sandbox' 'completion' 'version')
    flags=('--all' '--limit=' '--columns,--format*=,@columns' '--no-headers' '--query=' '--raw')
    arguments=('account-file|bulk|environment|exit-codes|filter|flags|lockout|networks|output|references|rules-file|wait|find*')
    ;;
  esac
  flags+=(
    '--context=@contexts' '--output,-o=table|json|ndjson|yaml|csv|tsv' '--json' '--quiet,-q' '--yes,-y' '--verbose,-v' '--base-url=' '--color=auto|always|never' '--timeout=' '--retries=' '--max-wait=' '--debug' '--debug-file=@files' '--help,-h'
  )
}

# Finds the entry of a name in those that follow it; in REPLY.
__skyctl_find() {
  local name=$1
  shift
  for REPLY; do
    [[ ,${REPLY%%[*=]*}, == *",$name,"* ]] && return
  done
  return 1
}

# The text that a quoted word stands for, in REPLY. Sets quote to the quote that is still open, and opened to where.
__skyctl_unquote() {
  local rest=$1 char
  REPLY='' quote='' opened=0
  while [[ -n $rest ]]; do
    char=${rest:0:1} rest=${rest:1}
    case $quote$char in
    \' | \") quote=$char opened=${#REPLY} ;;
    \'\' | \"\") quote= ;;
    \\) REPLY+=${rest:0:1} rest=${rest:1} ;;
    \"\\)
      [[ $rest == [\$\"\\\`]* ]] && char=${rest:0:1} rest=${rest:1}
      REPLY+=$char
      ;;
    *) REPLY+=$char ;;
    esac
  done
}

# Sets words to those before the cursor and cur to the one at it, without their quotes. Bash breaks words at ":", "=" and
# "@" and replaces only what follows the last break, or the quote that is open: kept is what stands before.
__skyctl_words() {
  local line=() index piece='' join=''
  for ((index = 1; index <= COMP_CWORD; index++)); do
    piece=${COMP_WORDS[index]-}
    if [[ -n $piece && -z ${piece//[:=@]/} && ${#line[@]} -gt 0 ]]; then
      line[${#line[@]} - 1]+=$piece join=1 piece=
    elif [[ -n $join ]]; then
      line[${#line[@]} - 1]+=$piece join=
    else
      line+=("$piece")
    fi
  done
  local count=$((${#line[@]} - 1))
  for ((index = 0; index < count; index++)); do
    __skyctl_unquote "${line[index]}"
    words+=("$REPLY")
  done
  __skyctl_unquote "${line[count]%"$piece"}"
  kept=$REPLY
  __skyctl_unquote "${line[count]}"
  cur=$REPLY
  [[ -n $quote ]] && kept=${cur:0:opened}
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
    [[ $REPLY == *=* ]] || return 0
    if [[ $1 == --*=* ]]; then __skyctl_take "$REPLY" "${1#*=}"; else flag=$REPLY; fi
  elif __skyctl_find "$1" "${commands[@]}"; then
    [[ $path == help ]] && path=
    path+=${path:+ }${REPLY%%,*}
    __skyctl_place "$path"
  else
    position=$((position + 1))
    used+=("$1")
    ((${#commands[@]} == 0 || ${#arguments[@]} > 0))
  fi
}

# Finds the entry of a flag as it was typed; snake_case is the same flag.
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

# Offers a word if it begins like the one at the cursor, quoted as that is; fails otherwise.
__skyctl_offer() {
  [[ $1 == "$cur"* ]] || return
  local text=${1#"$kept"}
  case $quote in
  \')
    REPLY=${text//\'/\'\\\'\'}
    ;;
  \")
    REPLY=${text//\\/\\\\} REPLY=${REPLY//\"/\\\"} REPLY=${REPLY//\$/\\\$}
    REPLY=${REPLY//\`/\\\`} REPLY=${REPLY//!/\"\'!\'\"}
    ;;
  *)
    printf -v REPLY %q "$text"
    # A comma needs no quoting, and would not begin as it was typed.
    REPLY=${REPLY//\\,/,}
    ;;
  esac
  COMPREPLY+=("$REPLY")
}

# Offers the names of entries; their aliases only where no name begins like the word at the cursor.
__skyctl_offer_entries() {
  local entry alias found=''
  for entry; do
    __skyctl_offer "${entry%%[,*=]*}" && found=1
  done
  [[ -z $found ]] || return 0
  for entry; do
    entry=${entry%%[*=]*}
    while [[ $entry == *,* ]]; do
      entry=${entry#*,} alias=${entry%%,*}
      [[ $alias == -[!-]* ]] || __skyctl_offer "$alias"
    done
  done
}

# Offers VALUES, behind a prefix such as "--output=".
__skyctl_offer_values() {
  local prefix=$1 values=${2%\*} typed=${cur#"$1"} name
  if [[ $values == ,* ]]; then
    values=${values#,}
    [[ $typed != *,* ]] || prefix+=${typed%,*}, typed=${typed##*,}
  fi
  case $values in
  @files)
    local plain=
    compopt -o filenames 2>/dev/null && plain=1
    while IFS= read -r name; do
      if [[ -z $name ]]; then :
      elif [[ -n $plain ]]; then name=$prefix$name COMPREPLY+=("${name#"$kept"}")
      else __skyctl_offer "$prefix$name"; fi
    done <<<"$(compgen -f -- "$typed")"
    ;;
  @columns | @sort | @filter) __skyctl_offer_fields "$prefix" "$values" "$typed" ;;
  @*)
    # shellcheck disable=SC2034 # names.bash uses it
    local lines=()
    __skyctl_names "${values#@}"
    [[ $values != @rules ]] || __skyctl_keep_side "$side"
    __skyctl_leave_out
    if [[ $typed == label:* && $values != @regions && $values != @contexts ]]; then
      __skyctl_offer_labels "${prefix}label:" "${typed#label:}"
    else
      __skyctl_offer_names "$prefix" "$typed"
    fi
    ;;
  ?*)
    values=${values//+/ }'|'
    while [[ -n $values ]]; do
      __skyctl_offer "$prefix${values%%|*}"
      values=${values#*|}
    done
    ;;
  esac
}

# Offers fields behind a prefix: "NAME=" to filter by, and behind that what the field may hold.
__skyctl_offer_fields() {
  local prefix=$1 typed=$3 end='' entry
  if [[ $2 == @filter && $typed == *=* ]]; then
    __skyctl_find "${typed%%[!A-Za-z0-9_.]*}" "${fields[@]}" && [[ $REPLY == *=* ]] || return 0
    __skyctl_offer_values "$prefix${typed%%=*}=" "${REPLY#*=}"
    return 0
  fi
  case $2 in
  @columns) __skyctl_offer "${prefix}all" ;;
  @sort) [[ $typed != -* ]] || prefix+=- ;;
  @filter)
    end='='
    compopt -o nospace 2>/dev/null
    ;;
  esac
  for entry in "${fields[@]}"; do __skyctl_offer "$prefix${entry%%=*}$end"; done
}

# Offers the names in lines that begin as typed, behind a prefix. There may be thousands: nothing is called for each, and
# no list of them is made that can be done without.
__skyctl_offer_names() {
  local line text from found=()
  __skyctl_first "$2"
  from=$REPLY
  __skyctl_first "$2"$'\xff'
  if [[ -z $1$2$kept$quote && ${#lines[@]} -gt 0 ]]; then
    printf -v text '%q\n' "${lines[@]%$'\t'*}"
    __skyctl_offer_quoted "$text"
    return
  fi
  ((REPLY <= from)) || found=("${lines[@]:from:REPLY-from}")
  found=("${found[@]%$'\t'*}")
  if [[ $2 == [1-9]* ]]; then
    for line in ${lines[@]+"${lines[@]}"}; do
      [[ $line != *$'\t'"$2"* ]] || found+=("${line#*$'\t'}")
    done
  fi
  [[ -n ${found[0]-} ]] || return 0
  if [[ -n $quote ]]; then
    for line in "${found[@]}"; do __skyctl_offer "$1$line"; done
  else
    [[ -z $1 ]] || found=("${found[@]/#/$1}")
    [[ -z $kept ]] || found=("${found[@]#"$kept"}")
    printf -v text '%q\n' "${found[@]}"
    __skyctl_offer_quoted "$text"
  fi
}

# Offers lines of quoted names; a comma needs no quotes.
__skyctl_offer_quoted() {
  local text=${1%$'\n'}
  [[ $text != *\\,* ]] || text=${text//\\,/,}
  if ((BASH_VERSINFO[0] > 3)); then
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY <<<"$text"
  else
    __skyctl_lines <<<"$text"
    COMPREPLY+=("${lines[@]}")
  fi
}

# The same for labels, without what forces one and without what has none.
__skyctl_offer_labels() {
  local line index from forced=()
  __skyctl_first label:
  from=$REPLY
  __skyctl_first $'label:\xff'
  if ((REPLY > from)); then
    forced=("${lines[@]:from:REPLY-from}")
    forced=("${forced[@]#label:}")
    for ((index = from; index < REPLY; index++)); do unset "lines[index]"; done
    lines=(${lines[@]+"${lines[@]}"})
  fi
  __skyctl_first 0
  index=$REPLY
  __skyctl_first :
  for (( ; index < REPLY; index++)); do
    line=${lines[index]%%$'\t'*}
    [[ $line == *[!0-9]* ]] || unset "lines[index]"
  done
  lines=(${lines[@]+"${lines[@]}"})
  __skyctl_offer_names "$1" "$2"
  lines=(${forced[@]+"${forced[@]}"})
  __skyctl_offer_names "$1" "$2"
}

# Keeps of the lines the rules of the firewall and the direction before the cursor, which are no rules themselves.
__skyctl_keep_side() {
  local side=$1 from
  __skyctl_first "$side"
  from=$REPLY
  __skyctl_first "$side"$'\xff'
  if ((REPLY > from)); then lines=("${lines[@]:from:REPLY-from}"); else lines=(); fi
  lines=(${lines[@]+"${lines[@]#"$side"}"})
  used=(${used[@]+"${used[@]:2}"})
}

# Takes what was used out of lines.
__skyctl_leave_out() {
  local text name index gone=()
  [[ -n ${used[0]-} ]] || return 0
  for text in "${used[@]-}"; do
    text=${text#label:} text=${text#id:}
    for name in "$text" "label:$text"; do
      __skyctl_first "$name"
      case ${lines[REPLY]-} in "$name" | "$name"$'\t'*) gone+=("$REPLY") ;; esac
    done
    [[ $text == [1-9]* ]] || continue
    for index in ${lines[@]+"${!lines[@]}"}; do
      [[ ${lines[index]} != *$'\t'"$text" ]] || gone+=("$index")
    done
  done
  [[ -n ${gone[0]-} ]] || return 0
  for index in "${gone[@]}"; do unset "lines[index]"; done
  lines=(${lines[@]+"${lines[@]}"})
}

# Finds the first of lines, which are sorted by their bytes, that is not before a text; in REPLY, the end where none is.
__skyctl_first() {
  local LC_ALL=C low=0 high=${#lines[@]} middle
  [[ -n $1 ]] || high=0
  while ((low < high)); do
    middle=$(((low + high) / 2))
    if [[ ${lines[middle]} < $1 ]]; then low=$((middle + 1)); else high=$middle; fi
  done
  REPLY=$low
}

# Reads lines.
__skyctl_lines() {
  if ((BASH_VERSINFO[0] > 3)); then mapfile -t lines; else IFS=$'\n' read -r -d '' -a lines; fi
}

# Sets lines to the names of a kind, NAME[<tab>NOTE] each (README.md, names from the account).
__skyctl_names() {
  [[ $1 == contexts || -z $elsewhere ]] || return
  local file='' ask=(completion values "$1")
  [[ -z $context ]] || ask+=(--context "$context")
  __skyctl_kept_file "$1"
  if [[ -f $file && -r $file ]]; then
    __skyctl_lines <"$file"
    [[ -n $(find "$file" -mmin +5 2>/dev/null) ]] || return 0
    touch -c "$file" 2>/dev/null
    (command skyctl "${ask[@]}" --timeout 30s </dev/null >/dev/null 2>&1 &)
  elif [[ $1 == rules ]]; then
    # Those of many firewalls: Tab does not wait for them.
    [[ -z $file ]] || (command skyctl "${ask[@]}" --timeout 30s </dev/null >/dev/null 2>&1 &)
  else
    __skyctl_lines <<<"$(command skyctl "${ask[@]}" --timeout 2s </dev/null 2>/dev/null)"
  fi
}

# Sets file to where the names of the account in use are kept; leaves it empty where that is nowhere, or unknown.
__skyctl_kept_file() {
  local folder=${HOME-}/.cache name=${context:-${SKYCTL_CONTEXT-}}
  case ${XDG_CACHE_HOME-} in /*) folder=$XDG_CACHE_HOME ;; esac
  case ${OSTYPE-} in
  darwin*) folder=${HOME-}/Library/Caches/skyctl ;;
  msys* | cygwin*) folder=${LOCALAPPDATA-}/skyctl/Cache ;;
  *) folder+=/skyctl ;;
  esac
  if [[ $1 == contexts ]]; then
    file=$folder/names/.contexts
    return
  fi
  if [[ -z $name ]]; then
    [[ -f $folder/names/.current && -r $folder/names/.current ]] && IFS= read -r name <"$folder/names/.current"
    [[ $name != */* ]] || name=
  elif [[ $name == .* || $name == *[!A-Za-z0-9_.-]* ]]; then
    # How other names are encoded, skyctl itself knows best.
    name=
  fi
  [[ -n $context || ${SKYCTL_CONTEXT-} == sandbox || -z ${SKYCTL_TOKEN-}${SKYCTL_TOKEN_FILE-}${SKYCTL_BASE_URL-} ]] || __skyctl_account
  [[ -z $name ]] || file=$folder/names/$name/$1
}

# Sets name to the folder of the account that the environment names, as environmentFolder in src/account/name-cache.ts does;
# to nothing where it cannot.
__skyctl_account() {
  local LC_ALL=C user=${SKYCTL_TOKEN-} place=${SKYCTL_BASE_URL:-$name} sum=0 index code
  user=${user:0:16}
  user=${user:-$name} name=
  [[ -z ${SKYCTL_TOKEN_FILE-} && -n $user && -n $place && "$place $user" != *[!\ -~]* ]] || return 0
  place+=" $user"
  for ((index = 0; index < ${#place}; index++)); do
    printf -v code %d "'${place:index:1}"
    sum=$(((sum * 257 + code) % 17592186044399))
  done
  name=.env-$sum
}

_skyctl() {
  local IFS=$' \t\n' words=() cur='' kept='' quote='' opened=0 commands flags arguments fields
  local path='' position=0 targets='' flag='' given=() used=() word entry
  # shellcheck disable=SC2034 # names.bash reads them
  local context='' elsewhere='' side
  COMPREPLY=()
  __skyctl_words
  __skyctl_place ''
  for word in "${words[@]}"; do
    __skyctl_step "$word" || return 0
  done
  if [[ -n $flag ]]; then
    used=()
    __skyctl_offer_values '' "${flag#*=}"
  elif [[ -z $targets && $cur == --*=* ]]; then
    used=()
    __skyctl_flag "$cur" && [[ $REPLY == *=* ]] && __skyctl_offer_values "${cur%%=*}=" "${REPLY#*=}"
  elif [[ -z $targets && $cur == -* ]]; then
    local left=()
    for entry in "${flags[@]}"; do
      [[ $entry == *'*'* ]] || ! __skyctl_find "${entry%%[,=]*}" "${given[@]}" && left+=("$entry")
    done
    __skyctl_offer_entries "${left[@]}"
  else
    __skyctl_offer_entries "${commands[@]}"
    local last=$((${#arguments[@]} - 1))
    ((position <= last)) || [[ $last -ge 0 && ${arguments[last]} == *'*' ]] || return 0
    side="${used[0]-} ${used[1]-} " side=${side#label:} side=${side#id:}
    [[ ${arguments[last]} == *'*' ]] || used=()
    __skyctl_offer_values '' "${arguments[position < last ? position : last]}"
  fi
  return 0
}

complete -F _skyctl skyctl
