/** The page with API keys and webhooks. */
export const integrationTexts = {
  title: 'Integrations',
  copy: 'Copy',
  done: 'Done',
} as const;
