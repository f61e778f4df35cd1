import { integrationTexts } from '@settee/protocol/texts/integrationTexts';
import { useParams } from 'react-router';
import { Page } from '../parts/Page.tsx';
import { ApiKeysCard } from './ApiKeysCard.tsx';
import { DeliveriesPage } from './DeliveriesPage.tsx';
import styles from './integrations.module.css';
import { WebhooksCard } from './WebhooksCard.tsx';

/** Keys and webhooks. `/integrations/{id}` shows the deliveries of a webhook. */
export function IntegrationsPage() {
  const id = useParams()['*'];
  if (id) return <DeliveriesPage key={id} id={id} />;
  return (
    <Page title={integrationTexts.title}>
      <div className={styles.cards}>
        <ApiKeysCard />
        <WebhooksCard />
      </div>
    </Page>
  );
}
