import type { ContractType } from '@paraph/protocol/contract'
import { createDictionary, type Translated } from './dictionary.js'

/** Display names of the contract types, by locale. [Contract types] */
export const contractTypeNames = createDictionary<Record<ContractType, Translated>>({
  nda: { en: 'Non-disclosure agreement', fr: 'Entente de confidentialité' },
  business: { en: 'Business contract', fr: 'Contrat commercial' },
  employment: { en: 'Employment agreement', fr: 'Contrat de travail' },
  service: { en: 'Service agreement', fr: 'Contrat de services' },
  custom: { en: 'Contract', fr: 'Contrat' },
  'sales-agreement': { en: 'Sales agreement', fr: 'Contrat de vente' },
  'consignment-agreement': { en: 'Consignment agreement', fr: 'Contrat de consignation' },
  'revenue-share': { en: 'Revenue share agreement', fr: 'Entente de partage des revenus' },
})
