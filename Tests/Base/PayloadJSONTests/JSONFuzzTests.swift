import Foundation
import PayloadJSON
import RepositoryFiles
import TestSeeds
import Testing

/// JSON strings with random changes, read by this reader and by others. A failure shows the changed string and its seed
/// (see `TestSeed`). `APNS_FUZZ_ROUNDS` is the number of strings for each seed.
struct JSONFuzzTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["APNS_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 3_000

    /// What is changed: the vectors that are JSON, the samples of the repository, and a few longer strings.
    private static let sources: [[UInt8]] = {
        var sources = [
            #"{"aps":{"alert":{"title":"Zürich 😀","body":"\u00e9\ud83d\ude00\n"},"badge":1,"sound":"default"},"a":[1,-2.5e+3,{}]}"#,
            #"[true,false,null,[[[]]],{"":{"":""}},0.5,1E9]"#,
        ].map { Array($0.utf8) }
        let samples = FileManager.default.enumerator(at: Repository.url("payloads"), includingPropertiesForKeys: nil)
        sources += (samples?.allObjects ?? []).compactMap { ($0 as? URL).flatMap { try? Data(contentsOf: $0) } }
            .map { Array($0) }.sorted { $0.lexicographicallyPrecedes($1) }
        sources += ((try? JSONCorpus.own.vectors(.read)) ?? []).map(\.bytes)
        return sources.filter { !$0.isEmpty && $0.count < 2_000 }
    }()

    /// Calls `body` with changed strings.
    private func forEachChanged(_ seed: TestSeed, rounds: Int, _ body: ([UInt8]) -> Void) {
        var mutator = Mutator(seed: seed)
        for _ in 0..<rounds {
            let sources = JSONFuzzTests.sources
            let (source, other) = (mutator.choice(of: sources), mutator.choice(of: sources))
            body(mutator.mutated(source, mixing: other))
        }
    }

    @Test(arguments: TestSeed.all(1...4))
    func `two readers agree on what is JSON, and an error is at a place inside it`(seed: TestSeed) {
        var document = JSONDocument()
        var accepted = 0
        forEachChanged(seed, rounds: JSONFuzzTests.rounds) { text in
            do throws(JSONSyntaxError) {
                try document.parse(text)
                accepted += 1
                #expect(NaiveReader.accepts(text), "accepted: \(String(decoding: text, as: UTF8.self))")
            } catch {
                #expect(!NaiveReader.accepts(text), "\(error): \(String(decoding: text, as: UTF8.self))")
                #expect((0...text.count).contains(error.offset))
                #expect(document.kind(of: .root) == .null)
            }
        }
        // The changes are small enough to leave some strings valid, and large enough to break some.
        #expect((JSONFuzzTests.rounds / 50...JSONFuzzTests.rounds * 2 / 3).contains(accepted))
    }

    @Test(arguments: TestSeed.all(1...4))
    func `what both readers accept has the same values`(seed: TestSeed) {
        var compared = 0
        forEachChanged(seed, rounds: JSONFuzzTests.rounds / 4) { text in
            guard let document = try? JSONDocument(text) else { return }
            // Foundation has no repeated keys.
            guard !document.repeatsKey(inObjectsBut: []) else { return }
            // It refuses numbers beyond the range of a double.
            guard
                let value = try? JSONSerialization.jsonObject(
                    with: Data(escapingByteOrderMarks(text)), options: [.fragmentsAllowed])
            else { return }
            compared += 1
            #expect(same(.root, of: document, value), "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(compared > JSONFuzzTests.rounds / 4 / 50)
    }

    /// The same JSON with each U+FEFF as an escape. Foundation drops a U+FEFF that begins a string or follows an escape,
    /// as if it were the byte order mark of a file. In a valid document it occurs only inside strings.
    private func escapingByteOrderMarks(_ text: [UInt8]) -> [UInt8] {
        guard let string = String(validating: text, as: UTF8.self) else { return text }
        return Array(string.unicodeScalars.map { $0 == "\u{FEFF}" ? #"\ufeff"# : String($0) }.joined().utf8)
    }

    @Test func `a key that begins with U+FEFF keeps it`() throws {
        let document = try JSONDocument(Array("{\"\u{FEFF}a\":1,\"a\":2,\"b\\n\u{FEFF}\":3}".utf8))
        #expect(document.member(named: "\u{FEFF}a", of: .root).flatMap(document.integer) == 1)
        #expect(document.member(named: "a", of: .root).flatMap(document.integer) == 2)
        #expect(document.member(named: "b\n\u{FEFF}", of: .root).flatMap(document.integer) == 3)
        let value = try JSONSerialization.jsonObject(with: Data(escapingByteOrderMarks(document.bytes)))
        #expect(same(.root, of: document, value))
    }

    private func same(_ index: JSONIndex, of document: JSONDocument, _ value: Any) -> Bool {
        switch document.kind(of: index) {
        case .null: return value is NSNull
        case .true, .false: return (value as? Bool) == (document.kind(of: index) == .true)
        case .string:
            return (value as? String)?.unicodeScalars.elementsEqual(
                document.string(of: index)?.unicodeScalars ?? "".unicodeScalars) == true
        case .integer, .fraction:
            guard let number = document.number(of: index), let value = (value as? NSNumber)?.doubleValue else {
                return document.number(of: index) == nil
            }
            return abs(number - value) <= abs(number) * 1e-12
        case .array:
            let elements = Array(document.elements(of: index))
            guard let values = value as? [Any], values.count == elements.count else { return false }
            return zip(elements, values).allSatisfy { same($0, of: document, $1) }
        case .object:
            guard let values = value as? [String: Any] else { return false }
            let members = document.members(of: index).map { (key: document.string(of: $0.key) ?? "", value: $0.value) }
            // Keys that differ only in their Unicode form, such as é and e with U+0301, are one key of a dictionary.
            let keys = Dictionary(grouping: members, by: \.key)
            guard keys.count == values.count else { return false }
            return keys.allSatisfy { key, members in
                guard let value = values[key] else { return false }
                return members.contains { same($0.value, of: document, value) }
            }
        }
    }

    @Test(arguments: TestSeed.all(1...4))
    func `each lookup in a document that was read has an answer`(seed: TestSeed) {
        var document = JSONDocument()
        forEachChanged(seed, rounds: JSONFuzzTests.rounds / 4) { text in
            guard (try? text.withUnsafeBytes { try document.parse(copying: $0) }) != nil else { return }
            expectAnswers(.root, of: document)
            #expect(document.repeatsKey(inObjectsBut: []) == repeats(.root, of: document))
        }
    }

    private func expectAnswers(_ index: JSONIndex, of document: JSONDocument) {
        #expect(document.range(of: index).upperBound <= document.bytes.count)
        #expect(NaiveReader.accepts(Array(document.bytes[document.range(of: index)])))
        #expect((document.string(of: index) != nil) == (document.kind(of: index) == .string))
        _ = (document.number(of: index), document.pointer(to: index))
        for member in document.members(of: index) { expectAnswers(member.value, of: document) }
        for element in document.elements(of: index) { expectAnswers(element, of: document) }
    }

    private func repeats(_ index: JSONIndex, of document: JSONDocument) -> Bool {
        let members = Array(document.members(of: index))
        return Set(members.map { document.string(of: $0.key).map { Array($0.utf8) } }).count < members.count
            || members.contains { repeats($0.value, of: document) }
            || document.elements(of: index).contains { repeats($0, of: document) }
    }
}
