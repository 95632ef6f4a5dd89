/** Variables that name a proxy to a service with TLS, in their order of precedence, as curl reads them. */
export const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'] as const
