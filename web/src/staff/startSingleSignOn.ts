const START = '/handler';

/** Leaves for the provider, which sends the browser back to this page. `again`: it asks even if it knows the person. */
export function startSingleSignOn({ again = false } = {}): void {
  const next = new URLSearchParams(location.search).get('next') ?? location.pathname + location.search;
  const query = new URLSearchParams({ ...(next !== START && { next }), ...(again && { again: 'yes' }) });
  location.assign(`/auth/staff/sso?${query}`);
}
