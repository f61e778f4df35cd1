/** Addresses of images for a component: every image has this address, or none is known. */
export function fakeAddresses(address?: string) {
  return {
    get: async () => address,
    known: () => address,
    failed: () => {},
    onLine: () => () => {},
    keepOwn: () => {},
    stop: () => {},
  };
}
