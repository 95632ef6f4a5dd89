/** Account files as people write them, all with the owner "me" or none, and with no object but the volume data-1. */
const unix = [
  // Block form.
  'owner: me\n',
  'owner: me',
  'owner: me\n\n\n',
  'volumes:\n  data-1: { size: 40 }\n',
  'volumes:\n  data-1: { size: 40 }',
  'volumes:\n    data-1:\n        size: 40\n',
  'volumes:\n  data-1:\n    size: 40\n    tags:\n    - production\n',
  'volumes:\n  data-1:\n    size: 40\n\nowner: me\n',
  'firewalls: {}\nvolumes:\n  data-1: { size: 40 }\n',
  'volumes: {}\nfirewalls: {}\n',
  'volumes:\nfirewalls:\n',
  'volumes: null\nfirewalls: ~\nowner: me\n',
  'owner: me\nvolumes:',
  '  owner: me\n  volumes:\n    data-1: { size: 40 }\n',
  'volumes:\n  {}\nowner: me\n',
  // Quoted keys, explicit keys, anchors and tags.
  '"owner": "me"\n"volumes":\n  "data-1": { "size": 40 }\n',
  "'volumes':\n  'data-1': { size: 40 }\n'firewalls': {}\n",
  '? volumes\n: data-1: { size: 40 }\n',
  'volumes: &all\n  data-1: &one { size: 40 }\n',
  'volumes: &all {}\nfirewalls: !!map {}\n',
  // Documents.
  '---\nowner: me\n',
  '---\nvolumes:\n  data-1: { size: 40 }\n',
  '--- # ours\nvolumes: {}\n',
  '%YAML 1.2\n---\nowner: me\n',
  'owner: me\n...\n',
  '---\nvolumes:\n  data-1: { size: 40 }\n...\n# after\n',
  '---\n',
  '',
  '# only a comment\n',
  '{}\n',
  '--- {}\n',
  'null\n',
  // Comments.
  '# at the top\n\nowner: me # mine\n# at the end\n',
  'volumes: # all\n  # first\n  data-1: { size: 40 } # keep\n  # below\n',
  'volumes:\n  data-1:\n    size: 40\n    # below its fields\n  # below the volumes\n# at the end',
  'volumes: # none so far\n  # data-9: { size: 20 }\nowner: me\n',
  'volumes: {} # none so far\nfirewalls: {} # none so far\n# at the end\n',
  'owner: me\n# volumes:\n#   data-9: { size: 20 }\n',
  // Flow form.
  '{ owner: me }',
  '{ owner: me, volumes: { data-1: { size: 40 } } }\n',
  '{ owner: me, volumes: {}, firewalls: null }\n',
  '{ owner: me, volumes: { data-1: { size: 40 }, }, }\n',
  '{\n  owner: me, # mine\n  volumes: {\n    data-1: { size: 40 } # keep\n    # below\n  } # all\n}\n',
  '{\n  owner: me, # a, b\n  # at the end\n}\n',
  'volumes: {\n  data-1: { size: 40 }, # keep\n  # below\n}\nowner: me\n',
  'volumes: { # none so far\n}\nfirewalls: {\n  # none\n}\n',
  '{"owner": "me", "volumes": {"data-1": {"size": 40}}}\n',
  '{\n  "owner": "me",\n  "volumes": {\n    "data-1": { "size": 40 }\n  }\n}\n',
]

/** Forms with their line ends: all of Unix, and those of Windows where lines matter. */
export const fileForms: readonly string[] = [
  ...unix,
  ...unix.filter((text) => /\n./.test(text)).map((text) => text.replaceAll('\n', '\r\n')),
  'owner: me\r\nvolumes:\n  data-1: { size: 40 }\r\n',
]
