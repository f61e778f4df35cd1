import { mediaIdOf } from '@settee/protocol/model/media';
import { useContext, useEffect, useState } from 'react';
import { AddressesContext } from './addressesContext.ts';
import type { MediaAddresses } from './mediaAddress.ts';

type Address = {
  url: string | undefined;
  failed: boolean;
  /** What the address led to could not be shown. */
  broken: () => void;
  again: () => void;
};

type Asked = { times: number; url: string | undefined; failed: boolean };

/** Where a message's media can be loaded from, once it is wanted. An address that fails is replaced once by itself. */
export function useAddress(mediaUrl: string, wanted: boolean): Address {
  const addresses = useContext(AddressesContext);
  const [asked, setAsked] = useState<Asked>(() => ({
    times: 0,
    url: addresses?.known(mediaUrl),
    failed: false,
  }));
  const { times, url, failed } = asked;

  useEffect(() => {
    if (!wanted || !addresses || url !== undefined || failed) return;
    let current = true;
    void addressOf(mediaUrl, addresses).then((found) => {
      if (current) setAsked({ times, url: found, failed: found === undefined });
    });
    return () => {
      current = false;
    };
  }, [mediaUrl, wanted, addresses, times, url, failed]);

  // However many did not come while there was no network, nobody has to press for each of them.
  useEffect(() => {
    if (failed) return addresses?.onLine(() => setAsked({ times: 0, url: undefined, failed: false }));
  }, [addresses, failed]);

  return {
    url,
    failed,
    broken() {
      if (url !== undefined) addresses?.failed(mediaUrl, url);
      setAsked({ times: times + 1, url: undefined, failed: times > 0 });
    },
    again: () => setAsked({ times: times + 1, url: undefined, failed: false }),
  };
}

/** Ours must be asked for; another's is the address itself, if it is one that a page may load. */
async function addressOf(mediaUrl: string, addresses: MediaAddresses): Promise<string | undefined> {
  if (mediaIdOf(mediaUrl) !== undefined) return addresses.get(mediaUrl);
  return /^https?:$/.test(URL.parse(mediaUrl, location.href)?.protocol ?? '') ? mediaUrl : undefined;
}
