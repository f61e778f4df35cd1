import { mediaIdOf } from '@settee/protocol/model/media';
import { useContext, useEffect, useState } from 'react';
import { AddressesContext } from './addressesContext.ts';
import type { MediaAddresses } from './mediaAddress.ts';

type Asked = { times: number; url: string | undefined; failed: boolean };

/** The address of a message's media, requested once it is wanted. A failed address is replaced once. */
export function useAddress(mediaUrl: string, wanted: boolean) {
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

  // Retry all failed images when the network returns.
  useEffect(() => {
    if (failed) return addresses?.onLine(() => setAsked({ times: 0, url: undefined, failed: false }));
  }, [addresses, failed]);

  return {
    url,
    failed,
    /** The address did not load. */
    broken(): void {
      if (url !== undefined) addresses?.failed(mediaUrl, url);
      setAsked({ times: times + 1, url: undefined, failed: times > 0 });
    },
    again: () => setAsked({ times: times + 1, url: undefined, failed: false }),
  };
}

/** Our own media needs a signed address. Other media is used directly if it is http or https. */
async function addressOf(mediaUrl: string, addresses: MediaAddresses): Promise<string | undefined> {
  if (mediaIdOf(mediaUrl) !== undefined) return addresses.get(mediaUrl);
  return /^https?:$/.test(URL.parse(mediaUrl, location.href)?.protocol ?? '') ? mediaUrl : undefined;
}
