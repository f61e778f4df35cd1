import { createContext } from 'react';
import type { MediaAddresses } from './mediaAddress.ts';

/** For the bubbles: where their conversation's images can be loaded from. Null until the script for images is there. */
export const AddressesContext = createContext<MediaAddresses | null>(null);
