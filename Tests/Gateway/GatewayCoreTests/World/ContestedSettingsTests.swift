import APNSModel
import Testing

@testable import GatewayCore

struct ContestedSettingsTests {
    struct SideCase: CustomTestStringConvertible, Sendable {
        let question: ContestedCase
        let word: String
        var testDescription: String { "\(question.name)=\(word)" }
    }

    static let sides = ContestedCase.all.flatMap { question in
        question.outcomes.keys.sorted().map { SideCase(question: question, word: $0) }
    }

    @Test(arguments: sides)
    func `each side of a contested question can be set, and is seen`(side: SideCase) throws {
        var contested = ContestedSettings()
        try contested.set(side.question.name, to: side.word)
        let setting = try #require(ContestedSetting.named(side.question.name))
        #expect(setting.word(in: contested) == side.word)
        #expect(try side.question.observe(contested) == side.question.outcomes[side.word])
    }

    @Test func `every setting has a test for each of its sides, and starts with the first`() {
        #expect(ContestedCase.ordered.map(\.name) == ContestedSetting.all.map(\.name))
        #expect(ContestedCase.all.count == ContestedSetting.all.count)
        for setting in ContestedSetting.all {
            let question = ContestedCase.all.first { $0.name == setting.name }
            #expect(Set(question?.outcomes.keys.map { $0 } ?? []) == Set(setting.words), "\(setting.name)")
            #expect(setting.word(in: ContestedSettings()) == setting.words.first, "\(setting.name)")
            #expect(setting.sides.count >= 2)
        }
    }

    @Test func `the rows of section 11 are all there, but for those that say why they are none`() {
        let rows = ContestedSetting.all.map(\.row)
        #expect(rows == rows.filter { $0 > 0 }.sorted() + [0])
        #expect(Set(1...43).subtracting(rows) == [10, 27, 28, 32, 40, 43])
    }

    @Test func `an unknown name and an unknown value are reported with the known ones`() {
        var contested = ContestedSettings()
        let name = #expect(throws: ContestedSettings.UnknownSetting.self) {
            try contested.set("malformed", to: "refuse")
        }
        #expect(name?.description.contains("malformed-json") == true)
        let word = #expect(throws: ContestedSettings.UnknownSetting.self) {
            try contested.set("malformed-json", to: "yes")
        }
        #expect(word?.description == #"malformed-json is accept or refuse, not "yes""#)
        #expect(contested == ContestedSettings())
    }

    @Test func `nothing that is contested costs a request a reference to count`() {
        #expect(_isPOD(ContestedSettings.self))
    }
}
