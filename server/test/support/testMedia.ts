import { inject } from 'vitest';
import { s3Media } from '../../src/media/s3Media.adapter.ts';
import { systemClock } from '../../src/platform/adapters/system.ts';
import type { S3Config } from '../../src/platform/config/config.ts';
import type { Clock, MediaStore } from '../../src/platform/ports/ports.ts';

/** The real S3 server of this run. */
export function testS3(): S3Config {
  const engines = inject('engines');
  const endpoint = engines.S3_ENDPOINT ?? '';
  return {
    endpoint,
    publicEndpoint: endpoint,
    region: engines.S3_REGION ?? '',
    bucket: engines.S3_BUCKET ?? '',
    accessKeyId: engines.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: engines.S3_SECRET_ACCESS_KEY ?? '',
  };
}

export function testMedia(clock: Clock = systemClock): MediaStore {
  return s3Media(testS3(), clock);
}
