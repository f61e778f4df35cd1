import { describe, test } from 'vitest';
import { uploadStoreContract } from '../../../test/uploadStoreContract.ts';
import { memoryUploadStore } from './uploadStore.ts';

describe('[OPEN-119] the uploads in memory', () => {
  for (const [promise, check] of Object.entries(uploadStoreContract))
    test(promise, () => {
      const store = memoryUploadStore();
      return check(() => store);
    });
});
