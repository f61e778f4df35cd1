/** A file that nobody here takes, as in a closed chat or behind a dialog, must not open in the place of the page. */
export function keepDrops(): void {
  for (const type of ['dragover', 'drop'] as const) {
    addEventListener(type, (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    });
  }
}
