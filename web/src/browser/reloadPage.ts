/** Component tests replace it, because a real reload would end them. */
export function reloadPage(): void {
  location.reload();
}
