import PayloadJSON
import Testing

@Suite(.disabled(if: Corpus.isAbsent, "SKIPPED: the JSON parsing corpus is not there; set JSON_PARSING_CORPUS"))
struct CorpusTests {
    @Test func `every text that must be accepted is accepted`() throws {
        let texts = try Corpus.texts("y_")
        #expect(texts.count == 95)
        for text in texts {
            do { _ = try JSONDocument(text.bytes) } catch { Issue.record("\(text.name): \(error) at \(error.offset)") }
        }
    }

    @Test func `every text that must be rejected is rejected at a place inside it`() throws {
        let texts = try Corpus.texts("n_")
        #expect(texts.count == 188)
        for text in texts {
            do {
                _ = try JSONDocument(text.bytes)
                Issue.record("\(text.name) was accepted")
            } catch {
                #expect((0...text.bytes.count).contains(error.offset), "\(text.name)")
            }
        }
    }

    @Test func `texts that may be either end in an answer, and bad UTF-8 in no`() throws {
        let texts = try Corpus.texts("i_")
        #expect(texts.count == 35)
        let accepted = texts.filter { (try? JSONDocument($0.bytes)) != nil }.map(\.name)
        #expect(accepted.allSatisfy { $0.hasPrefix("i_number") || $0 == "i_structure_500_nested_arrays.json" })
        #expect(accepted.count == 11)
    }

    @Test func `reading everything of an accepted text again works`() throws {
        for text in try Corpus.texts("y_") {
            let document = try JSONDocument(text.bytes)
            walk(.root, of: document)
        }
    }

    private func walk(_ index: JSONIndex, of document: JSONDocument) {
        #expect(document.range(of: index).upperBound <= document.bytes.count)
        _ = document.string(of: index)
        _ = document.integer(of: index)
        _ = document.pointer(to: index)
        for member in document.members(of: index) {
            #expect(document.string(of: member.key) != nil)
            walk(member.value, of: document)
        }
        for element in document.elements(of: index) { walk(element, of: document) }
    }
}
