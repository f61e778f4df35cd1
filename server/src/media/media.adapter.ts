import type { Config } from '../platform/config/config.ts';
import type { Clock, MediaStore, Random, ServedMediaStore } from '../platform/ports/ports.ts';
import { openDiskMedia } from './diskMedia.adapter.ts';
import { s3Media } from './s3Media.adapter.ts';

/** Opens S3 if it is configured, otherwise the media folder. */
export async function openMedia(
  config: Config,
  { clock, random }: { clock: Clock; random: Random },
): Promise<MediaStore | ServedMediaStore> {
  return config.s3 === undefined ? openDiskMedia(config, { clock, random }) : s3Media(config.s3, clock);
}
