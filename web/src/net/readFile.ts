/** A file from where media is kept. Undefined when it cannot be had, or no script may read it. */
export async function readFile(url: string): Promise<Blob | undefined> {
  try {
    const answer = await fetch(url, { credentials: 'omit' });
    return answer.ok ? await answer.blob() : undefined;
  } catch {
    return undefined;
  }
}
