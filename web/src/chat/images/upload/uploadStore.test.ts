import { describe, test } from 'vitest';
import { memoryUploadStore } from '../../../../test/memoryUploadStore.ts';
import { uploadStoreContract } from '../../../../test/uploadStoreContract.ts';

describe('[OPEN-119] the uploads in memory', () => {
  for (const [promise, check] of Object.entries(uploadStoreContract))
    test(promise, () => {
      const store = memoryUploadStore();
      return check(() => store);
    });
});
