import APNSPayload
import Testing

struct PayloadKeyTests {
    @Test func `every known key has its entry, in the order of the keys`() {
        #expect(PayloadKey.all.map(\.key) == KnownKey.allCases)
        #expect(KnownKey.allCases.count <= 61, "a key set has one bit for each, and `KeyIndex` has three of its own")
    }

    @Test func `a name occurs once in an object`() {
        for container: PayloadKey.Container in [.root, .aps, .alert, .sound, .titleText, .bodyText] {
            let names = PayloadKey.all(in: container).map(\.name)
            #expect(Set(names).count == names.count)
        }
    }

    @Test(arguments: PayloadKey.all)
    func `an entry does not contradict itself`(row: PayloadKey) {
        #expect(!row.types.isEmpty && row.types.isDisjoint(with: row.tolerated))
        #expect(row.meaning.hasSuffix(".") && (row.deprecation?.hasSuffix(".") ?? true))
        #expect(row.range == nil || !row.types.isDisjoint(with: [.number, .integer]))
        #expect(row.values.isEmpty || row.types == .string)
        #expect(!row.pushTypes.isEmpty)
        #expect(row.excludes?.row.excludes == row.key || row.excludes == nil)
        #expect(row.source.hasPrefix("https://") || row.evidence == .hintContract || row.key == .simulatorTargetBundle)
    }

    @Test(arguments: PayloadKey.all)
    func `an entry has examples, among its values`(row: PayloadKey) {
        #expect(!row.examples.isEmpty)
        for example in row.examples {
            guard case .string(let text) = example, !row.values.isEmpty else { continue }
            #expect(row.values.contains(text))
        }
    }
}
