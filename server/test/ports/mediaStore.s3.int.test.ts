import { testMedia } from '../testMedia.ts';
import { mediaStoreContract } from './mediaStore.contract.ts';

mediaStoreContract(async () => ({
  storeAt: async (clock) => testMedia(clock),
  locate: (address) => address,
  end: async () => {},
}));
