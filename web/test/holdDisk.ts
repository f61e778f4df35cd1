/** A slow disk: IndexedDB confirms no write until `release`, or loses it with `lose`, as when the page closes. */
export function holdDisk() {
  const { add } = IDBObjectStore.prototype;
  const { commit } = IDBTransaction.prototype;
  const held = new Set<IDBTransaction>();
  let holds = true;
  IDBTransaction.prototype.commit = () => undefined;
  IDBObjectStore.prototype.add = function (...args: Parameters<typeof add>) {
    const { transaction } = this;
    held.add(transaction);
    const keepOpen = (): void => {
      if (holds) this.count().onsuccess = keepOpen;
    };
    keepOpen();
    return add.apply(this, args);
  };
  function release(): void {
    holds = false;
    IDBTransaction.prototype.commit = commit;
    IDBObjectStore.prototype.add = add;
  }
  return {
    release,
    lose(): void {
      for (const transaction of held) transaction.abort();
      release();
    },
  };
}
