/** The element that the pages render into. The base styles give it the size of the window. */
export function appRoot(): HTMLElement {
  document.getElementById('app')?.remove();
  const root = document.createElement('div');
  root.id = 'app';
  document.body.append(root);
  return root;
}

/** Shows an address without loading it. */
export function goTo(path: string): void {
  history.replaceState(null, '', path);
}
