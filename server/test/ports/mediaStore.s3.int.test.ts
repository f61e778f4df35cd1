import { inject } from 'vitest';
import { s3Media } from '../../src/adapters/s3Media.ts';
import { mediaStoreContract } from './mediaStore.contract.ts';

mediaStoreContract(async () => {
  const engines = inject('engines');
  const config = {
    endpoint: engines.S3_ENDPOINT ?? '',
    region: engines.S3_REGION ?? '',
    bucket: engines.S3_BUCKET ?? '',
    accessKeyId: engines.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: engines.S3_SECRET_ACCESS_KEY ?? '',
  };
  return {
    storeAt: async (clock) => s3Media(config, clock),
    locate: (address) => address,
    end: async () => {},
  };
});
