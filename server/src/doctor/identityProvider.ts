import type { Config } from '../platform/config/config.ts';
import { discover } from '../staff/signIn/provider.ts';
import { type About, reason } from './finding.ts';

/** The code of openid-client's error. */
const OTHER_ISSUER = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

/** Reads the discovery document, as every sign-in does. */
export async function checkSingleSignOn(about: About, { singleSignOn }: Config): Promise<void> {
  if (singleSignOn === undefined) return;
  const { issuer } = singleSignOn;
  try {
    await discover(singleSignOn);
    about.ok(`${issuer} answers`);
  } catch (error) {
    const why = reason(error);
    if (why === OTHER_ISSUER)
      about.fail(
        `the provider at ${issuer} calls itself by another issuer`,
        'Set OIDC_ISSUER to the issuer in its discovery document, exactly.',
      );
    else
      about.fail(
        `${issuer} has no discovery document (${why})`,
        'Set OIDC_ISSUER to the issuer of the provider, and allow gateways to reach it. They read its /.well-known/openid-configuration.',
      );
  }
}
