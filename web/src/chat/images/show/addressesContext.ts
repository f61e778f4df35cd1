import { createContext } from 'react';
import type { MediaAddresses } from './mediaAddress.ts';

/** Image addresses of the conversation. Null until the image script has loaded. */
export const AddressesContext = createContext<MediaAddresses | null>(null);
