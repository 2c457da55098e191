import type { InvoiceContent } from '../content.ts'
import { type Profile, profileOf } from '../profile.ts'
import type { Attached } from './frame.ts'

const field = (name: string, description: string): string => `
                      <rdf:li rdf:parseType="Resource">
                        <pdfaProperty:name>${name}</pdfaProperty:name>
                        <pdfaProperty:valueType>Text</pdfaProperty:valueType>
                        <pdfaProperty:category>external</pdfaProperty:category>
                        <pdfaProperty:description>${description}</pdfaProperty:description>
                      </rdf:li>`

// PDF/A requires a schema for metadata that it does not know itself; this schema is prescribed by Factur-X.
const metadataOf = ({ file, level }: Profile): string => `
        <rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">
            <fx:DocumentType>INVOICE</fx:DocumentType>
            <fx:DocumentFileName>${file}</fx:DocumentFileName>
            <fx:Version>1.0</fx:Version>
            <fx:ConformanceLevel>${level}</fx:ConformanceLevel>
        </rdf:Description>
        <rdf:Description rdf:about=""
            xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
            xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
            xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
            <pdfaExtension:schemas>
              <rdf:Bag>
                <rdf:li rdf:parseType="Resource">
                  <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
                  <pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>
                  <pdfaSchema:prefix>fx</pdfaSchema:prefix>
                  <pdfaSchema:property>
                    <rdf:Seq>${[
                      field('DocumentFileName', 'The name of the embedded XML document'),
                      field(
                        'DocumentType',
                        'The type of the hybrid document in capital letters, e.g. INVOICE or ORDER',
                      ),
                      field('Version', 'The actual version of the standard applying to the embedded XML document'),
                      field('ConformanceLevel', 'The conformance level of the embedded XML document'),
                    ].join('')}
                    </rdf:Seq>
                  </pdfaSchema:property>
                </rdf:li>
              </rdf:Bag>
            </pdfaExtension:schemas>
        </rdf:Description>`

/** An invoice's XML as Factur-X attaches it. */
export const facturX = (content: InvoiceContent, xml: string): Attached => {
  const profile = profileOf(content)
  return {
    name: profile.file,
    text: xml,
    description: 'Factur-X/ZUGFeRD invoice',
    metadata: metadataOf(profile),
  }
}
