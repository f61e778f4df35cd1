/** Roles of the search box that hide its content from screen readers, and what is right. */
const CORRECTIONS: [wrong: string, right: string][] = [
  [
    `      role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"
`,
    `      role="dialog"
      aria-modal="true"
`,
  ],
  // An option may not contain a link: the link is the option.
  [
    `            :id="'localsearch-item-' + index"
            :aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"
          >
            <a
`,
    `            role="presentation"
          >
            <a
              :id="'localsearch-item-' + index"
              :aria-selected="selectedIndex === index ? 'true' : 'false'"
              role="option"
`,
  ],
  ['<kbd :aria-label', '<kbd role="img" :aria-label'],
];

/** Corrects the search box of VitePress 2.0.0-alpha.20. The build fails when a newer one differs. */
export function searchDialog() {
  return {
    name: 'settee:search-dialog',
    enforce: 'pre' as const,
    transform(code: string, id: string): string | undefined {
      if (!id.endsWith('/VPLocalSearchBox.vue')) return undefined;
      return CORRECTIONS.reduce((corrected, [wrong, right]) => {
        if (!corrected.includes(wrong))
          throw new Error(`VitePress has changed its search box, which had:\n${wrong}`);
        return corrected.replaceAll(wrong, right);
      }, code);
    },
  };
}
