/** What we use of the library of phone numbers: named here, the rest of it does not come along. */
export { isSupportedCountry, parsePhoneNumberFromString, validatePhoneNumberLength } from 'libphonenumber-js/min'
