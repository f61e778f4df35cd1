import { useCallback } from 'react';
import {
  type LinkProps,
  type NavigateOptions,
  type NavLinkProps,
  parsePath,
  Link as RouterLink,
  NavLink as RouterNavLink,
  type To,
  useNavigate as useRouterNavigate,
} from 'react-router';
import { PROFILE, useScope } from '../profiles/useProfiles.ts';

/** Like those of the router, but they keep the profile that the pages show. An address may name another one. */
export function Link({ to, ...rest }: LinkProps) {
  return <RouterLink {...rest} to={useKeepScope()(to)} />;
}

export function NavLink({ to, ...rest }: NavLinkProps) {
  return <RouterNavLink {...rest} to={useKeepScope()(to)} />;
}

export function useNavigate() {
  const navigate = useRouterNavigate();
  const keepScope = useKeepScope();
  return useCallback(
    (to: To, options?: NavigateOptions) => navigate(keepScope(to), options),
    [navigate, keepScope],
  );
}

function useKeepScope() {
  const { profile } = useScope();
  return useCallback(
    (to: To): To => {
      const path = typeof to === 'string' ? parsePath(to) : to;
      const search = new URLSearchParams(path.search);
      if (profile === undefined || search.has(PROFILE)) return to;
      search.set(PROFILE, profile);
      return { ...path, search: search.toString() };
    },
    [profile],
  );
}
