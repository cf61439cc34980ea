import Foundation

extension StoredRow {
    /// A row whose data space and key are texts. Tables take canonically equivalent texts as the same key, and a store
    /// compares bytes, so both are stored in one form (Unicode Standard Annex 15, NFC).
    package init(kind: String, space: String, name: String, document: [UInt8]?) {
        self.init(
            kind: kind, space: StoredRow.canonical(space), key: Array(StoredRow.canonical(name).utf8),
            document: document)
    }

    private static func canonical(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }
}
