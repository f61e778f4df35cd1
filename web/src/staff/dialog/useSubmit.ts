import { type FormEvent, useState } from 'react';

/** Runs one submission at a time. `work` returns an error text, or null or undefined on success. */
export function useSubmit(work: () => Promise<string | null | undefined>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  /** True on success. */
  async function submit(event?: FormEvent): Promise<boolean> {
    event?.preventDefault();
    if (busy) return false;
    setBusy(true);
    setError(null);
    const problem = (await work()) ?? null;
    setBusy(false);
    setError(problem);
    return problem === null;
  }

  return { busy, error, submit };
}
