import { accountMailTexts } from './accountMailTexts.ts';
import { accountTexts } from './accountTexts.ts';
import { adminTexts } from './adminTexts.ts';
import { apiKeyTexts } from './apiKeyTexts.ts';
import { actionTexts, auditTexts, detailTexts, nullTexts } from './auditTexts.ts';
import { blockTexts } from './blockTexts.ts';
import { cardTexts } from './cardTexts.ts';
import { consoleTexts } from './consoleTexts.ts';
import { conversationAdminTexts } from './conversationAdminTexts.ts';
import { dashboardTexts } from './dashboardTexts.ts';
import { deletedTexts } from './deletedTexts.ts';
import { deviceTexts } from './deviceTexts.ts';
import { erasureTexts } from './erasureTexts.ts';
import { errorTexts } from './errorTexts.ts';
import { hoursTexts } from './hoursTexts.ts';
import { imageTexts } from './imageTexts.ts';
import { integrationTexts } from './integrationTexts.ts';
import { inviteAdminTexts } from './inviteAdminTexts.ts';
import { landingTexts } from './landingTexts.ts';
import { mailTexts } from './mailTexts.ts';
import { pageTexts } from './pageTexts.ts';
import { peopleTexts } from './peopleTexts.ts';
import { profileTexts } from './profileTexts.ts';
import { pushTexts } from './pushTexts.ts';
import { rightsTexts } from './rightsTexts.ts';
import { setupTexts } from './setupTexts.ts';
import { staffMailTexts } from './staffMailTexts.ts';
import { texts } from './texts.ts';
import { transcriptTexts } from './transcriptTexts.ts';
import { visitorMailTexts } from './visitorMailTexts.ts';
import { webhookTexts } from './webhookTexts.ts';

/** English, the source of all translations. What visitors see, in ten languages. */
export const visitorCatalogue = {
  texts,
  deviceTexts,
  imageTexts,
  pushTexts,
  rightsTexts,
  transcriptTexts,
  landingTexts,
  pageTexts,
  errorTexts,
  cardTexts,
  visitorMailTexts,
  mailTexts,
};

/** What only staff see, in ten languages. */
export const staffCatalogue = {
  accountMailTexts,
  accountTexts,
  actionTexts,
  adminTexts,
  apiKeyTexts,
  auditTexts,
  blockTexts,
  consoleTexts,
  conversationAdminTexts,
  dashboardTexts,
  deletedTexts,
  detailTexts,
  erasureTexts,
  hoursTexts,
  integrationTexts,
  inviteAdminTexts,
  nullTexts,
  peopleTexts,
  profileTexts,
  setupTexts,
  staffMailTexts,
  webhookTexts,
};

/** The same names, with any text. */
type Translated<T> = T extends string ? string : { readonly [K in keyof T]: Translated<T[K]> };
export type VisitorCatalogue = Translated<typeof visitorCatalogue>;
export type StaffCatalogue = Translated<typeof staffCatalogue>;

/** The same names, or some of them. */
type Translation<T> = T extends string ? string : { readonly [K in keyof T]?: Translation<T[K]> };
export type VisitorTranslation = Translation<typeof visitorCatalogue>;
export type StaffTranslation = Translation<typeof staffCatalogue>;
