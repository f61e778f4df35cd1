import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { hoursTexts } from '@settee/protocol/texts/hoursTexts';
import { integrationTexts } from '@settee/protocol/texts/integrationTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import type { ReactNode } from 'react';
import { staffShapes } from '../staff/shapes.ts';
import { AuditPage } from './audit/AuditPage.tsx';
import { ConversationsPage } from './conversations/ConversationsPage.tsx';
import { DashboardPage } from './dashboard/DashboardPage.tsx';
import { shapes } from './frame/shapes.ts';
import { HoursPage } from './hours/HoursPage.tsx';
import { IntegrationsPage } from './integrations/IntegrationsPage.tsx';
import { InvitesPage } from './invites/InvitesPage.tsx';
import { PeoplePage } from './people/PeoplePage.tsx';
import { OnlyProfilePage, ProfilesPage } from './profiles/ProfilesPage.tsx';

type Place = {
  /** The first part of its address. Pages below it belong to the place. */
  path: string;
  text: string;
  icon: readonly string[];
  page: ReactNode;
  count?: 'open' | 'handlers' | 'webhooks' | 'profiles';
  /** In the navigation only with one profile, or only with several. */
  profiles?: 'one' | 'several';
};

/** The pages of the admin area, in the order of the navigation. */
export const places: readonly Place[] = [
  { path: 'dashboard', text: adminTexts.dashboard, icon: shapes.chart, page: <DashboardPage /> },
  {
    path: 'conversations',
    text: adminTexts.conversations,
    icon: shapes.chat,
    page: <ConversationsPage />,
    count: 'open',
  },
  { path: 'invites', text: adminTexts.invites, icon: staffShapes.link, page: <InvitesPage /> },
  { path: 'handlers', text: adminTexts.people, icon: shapes.users, page: <PeoplePage />, count: 'handlers' },
  { path: 'hours', text: hoursTexts.title, icon: shapes.clock, page: <HoursPage /> },
  {
    path: 'profile',
    text: adminTexts.publicProfile,
    icon: shapes.user,
    page: <OnlyProfilePage />,
    profiles: 'one',
  },
  {
    path: 'profiles',
    text: profileTexts.title,
    icon: shapes.profiles,
    page: <ProfilesPage />,
    count: 'profiles',
    profiles: 'several',
  },
  {
    path: 'integrations',
    text: integrationTexts.title,
    icon: shapes.plug,
    page: <IntegrationsPage />,
    count: 'webhooks',
  },
  { path: 'audit', text: adminTexts.auditLog, icon: shapes.log, page: <AuditPage /> },
];

export const isShown =
  (several: boolean) =>
  ({ profiles }: Place) =>
    profiles === undefined || (profiles === 'several') === several;
