/** At once, and while it is asked for again and again, once per so many milliseconds. The last asking is never lost. */
export function atMostEvery(ms: number, act: () => void): () => void {
  let resting = false;
  let again = false;
  function run(): void {
    resting = true;
    act();
    setTimeout(() => {
      resting = false;
      if (!again) return;
      again = false;
      run();
    }, ms);
  }
  return () => {
    if (resting) again = true;
    else run();
  };
}
