/** Returns the path field of a volume, which contains its label (api.md, Volume). */
export const volumePath = (label: string) => ({ filesystem_path: `/dev/disk/by-id/scsi-0Cloud_Volume_${label}` })
