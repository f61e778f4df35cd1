/** Keyboards for Arabic, Persian and Japanese write other digits. The last four bits of each are its value. */
export function latinDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) % 16));
}
