import { describe, test } from 'vitest';
import { memoryUploadStore } from '../../../../test/memoryUploadStore.ts';
import { uploadStoreContract } from '../../../../test/uploadStoreContract.ts';

describe('[MEDIA-03] uploads in memory keep the contract', () => {
  for (const [promise, check] of Object.entries(uploadStoreContract))
    test(promise, () => {
      const store = memoryUploadStore();
      return check(() => store);
    });
});
