import APNSModel
import APNSPayload
import Foundation
import Testing

/// tools/check-schema tests that the schemas accept valid samples and reject wrong ones, with another project's
/// validator.
struct PayloadSchemaTests {
    private func object(_ schema: PayloadSchema) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(schema.text.utf8)) as? [String: Any])
    }

    @Test(arguments: PayloadSchema.allCases)
    func `a schema says what it is`(schema: PayloadSchema) throws {
        let object = try object(schema)
        #expect(object["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        #expect(object["title"] is String)
    }

    @Test(arguments: [PayloadSchema.payload, .envelope])
    func `every row of the table stands in the schema with its meaning`(schema: PayloadSchema) {
        for row in PayloadKey.all where row.evidence != .hintContract {
            #expect(schema.text.contains("\"\(row.name)\": {"), "\(row.name)")
            #expect(schema.text.contains(row.meaning), "\(row.name)")
        }
    }

    @Test(arguments: PayloadSchema.allCases)
    func `every reference within a schema has its definition`(schema: PayloadSchema) throws {
        let definitions = try object(schema)["$defs"] as? [String: Any] ?? [:]
        let mark = "\"$ref\": \"#/$defs/"
        let used = Set(
            schema.text.components(separatedBy: mark).dropFirst().compactMap { $0.split(separator: "\"").first }
                .map(String.init))
        #expect(used.isSubset(of: Set(definitions.keys)))
        #expect(schema == .file || !used.isEmpty)
    }

    @Test func `an envelope has a shape for each push type`() {
        for pushType in PushType.known {
            #expect(PayloadSchema.envelope.text.contains("\"$ref\": \"#/$defs/payload-\(pushType)\""))
        }
    }
}
