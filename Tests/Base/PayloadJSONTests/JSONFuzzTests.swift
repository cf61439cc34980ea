import Foundation
import PayloadJSON
import Testing
import RepositoryFiles

/// Texts changed by chance, the same in every run, read by this reader and by others. `APNS_FUZZ_ROUNDS` in the
/// environment makes more of them, and `APNS_FUZZ_SEED` others.
struct JSONFuzzTests {
    private static let rounds = number("APNS_FUZZ_ROUNDS") ?? 12_000
    private static let seed = UInt64(number("APNS_FUZZ_SEED") ?? 1)

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// What is changed: the corpus, where it is there, the samples of the repository, and some texts of our own.
    private static let texts: [[UInt8]] = {
        let samples = Repository.url("payloads")
        var texts = [
            #"{"aps":{"alert":{"title":"Zürich 😀","body":"\u00e9\ud83d\ude00\n"},"badge":1,"sound":"default"},"a":[1,-2.5e+3,{}]}"#,
            #"[true,false,null,[[[]]],{"":{"":""}},0.5,1E9]"#, "\"x\"", "-0", "{}",
        ].map { Array($0.utf8) }
        if !Corpus.isAbsent { texts += (try? Corpus.texts("").map(\.bytes).filter { $0.count < 2_000 }) ?? [] }
        let files = FileManager.default.enumerator(at: samples, includingPropertiesForKeys: nil)?.allObjects ?? []
        texts += files.compactMap { ($0 as? URL).flatMap { try? Data(contentsOf: $0) }.map { Array($0) } }
            .filter { !$0.isEmpty && $0.count < 2_000 }.sorted { $0.lexicographicallyPrecedes($1) }
        return texts
    }()

    @Test func `two readers agree on what is JSON, and a fault lies inside of the text`() {
        var mutator = Mutator(seed: JSONFuzzTests.seed)
        var document = JSONDocument()
        var accepted = 0
        for round in 0..<JSONFuzzTests.rounds {
            let text = mutator.mutated(
                JSONFuzzTests.texts[round % JSONFuzzTests.texts.count],
                mixing: JSONFuzzTests.texts[(round * 7) % JSONFuzzTests.texts.count])
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
        // Neither all nor none: the changes are of a size that matters.
        #expect((JSONFuzzTests.rounds / 50...JSONFuzzTests.rounds / 2).contains(accepted))
    }

    @Test func `what Foundation reads, this reads, with the same values`() throws {
        var mutator = Mutator(seed: JSONFuzzTests.seed &+ 1)
        for round in 0..<JSONFuzzTests.rounds / 8 {
            let text = mutator.mutated(
                JSONFuzzTests.texts[round % JSONFuzzTests.texts.count],
                mixing: JSONFuzzTests.texts[(round * 5) % JSONFuzzTests.texts.count])
            guard let document = try? JSONDocument(text) else { continue }
            // It knows no repeated keys, refuses numbers beyond a double and drops zero bytes.
            guard document.repeatsKey(inObjectsBut: []) == false, !text.contains(0),
                let value = try? JSONSerialization.jsonObject(with: Data(text), options: [.fragmentsAllowed])
            else { continue }
            #expect(same(.root, of: document, value), "\(String(decoding: text, as: UTF8.self))")
        }
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
            let members = Array(document.members(of: index))
            guard let values = value as? [String: Any] else { return false }
            return members.allSatisfy { member in
                guard let key = document.string(of: member.key), let value = values[key] else { return false }
                return same(member.value, of: document, value)
            }
        }
    }

    @Test func `whatever is asked of a text that was read gets an answer`() {
        var mutator = Mutator(seed: JSONFuzzTests.seed &+ 2)
        var document = JSONDocument()
        for round in 0..<JSONFuzzTests.rounds / 4 {
            let text = mutator.mutated(
                JSONFuzzTests.texts[round % JSONFuzzTests.texts.count],
                mixing: JSONFuzzTests.texts[(round * 3) % JSONFuzzTests.texts.count])
            guard (try? text.withUnsafeBytes { try document.parse(copying: $0) }) != nil else { continue }
            var count = 0
            walk(.root, of: document, &count)
            #expect(count > 0 && document.repeatsKey(inObjectsBut: []) == repeats(.root, of: document))
        }
    }

    private func walk(_ index: JSONIndex, of document: JSONDocument, _ count: inout Int) {
        count += 1
        #expect(document.range(of: index).upperBound <= document.bytes.count)
        #expect(NaiveReader.accepts(Array(document.bytes[document.range(of: index)])))
        _ = (document.string(of: index), document.number(of: index), document.pointer(to: index))
        for member in document.members(of: index) { walk(member.value, of: document, &count) }
        for element in document.elements(of: index) { walk(element, of: document, &count) }
    }

    private func repeats(_ index: JSONIndex, of document: JSONDocument) -> Bool {
        let members = Array(document.members(of: index))
        return Set(members.map { document.string(of: $0.key).map { Array($0.utf8) } }).count < members.count
            || members.contains { repeats($0.value, of: document) }
            || document.elements(of: index).contains { repeats($0, of: document) }
    }
}
