import ConfigurationText
import OptimizationSimulator
import PushDispatch
import RepositoryFiles
import ServiceHost
import Testing

/// The configuration file.
struct OptimizationDocumentTests {
    @Test func `the standard services have entries, experiences and audiences`() {
        let standard = OptimizationConfiguration.standard()
        #expect(standard.experiences.map(\.id) == ["exp-1", "exp-2"] && standard.refusedExperiences.isEmpty)
        #expect(standard.audiences.map(\.id) == ["gold", "returning"] && standard.environment == "master")
        #expect(standard.experiences[1].audience == .id("gold") && standard.experiences[1].isSticky)
    }

    @Test func `keys that are not set follow from the seed`() {
        let (one, two) = (document("seed: 1").configuration, document("seed: 2").configuration)
        #expect(one.clientID == document("").configuration.clientID && one.clientID != two.clientID)
        #expect(UUIDText.isValid(one.clientID) && one.space != two.space && one.accessToken != two.accessToken)
    }

    @Test(arguments: [
        ("clientid: x", "optimization.yaml:1:1: clientid: there is no such key; did you mean client-id?"),
        ("client-id: a/b", "client-id: \"a/b\" is given where letters, digits"),
        ("audiences: [{name: x}]", "audiences[0]: the key id is missing"),
        ("audiences: [{id: a}, {id: a}]", "audiences[1]: another audience has this id"),
        ("audiences: [{id: a, when: [{trait: x}]}]", "audiences[0].when[0]: a condition has one of trait"),
        ("audiences: [{id: a, when: [{trait: x, equal: y}]}]", "did you mean equals?"),
        ("audiences: [{id: a, when: [{trait: x, session: y, equals: z}]}]", "a condition has one of trait"),
        ("audiences: [{id: a, when: [{trait: x, exists: maybe}]}]", "true or false is expected"),
        ("limits: {profiles: 0}", "a whole number from 1 to 1000000 is expected"),
        ("limits: {profile: 5}", "did you mean profiles?"), ("locales: [en, en]", "different locales"),
        ("faults: [{effect: {status: 200}}]", "faults[0]: effect: status"),
        ("locations: {1.2.3.4: {town: x}}", "has the keys"),
        ("faults: [{effect: {status: 503}, match: {path: all}}]", "one of profiles, events, analytics, entries"),
        ("entries: [gone.json]", "optimization.yaml:1:11: entries[0]: gone.json: there is no such file"),
        ("entries: [bad.json]", "bad.json:3:1: the file is"),
        ("entries: [number.json]", "number.json:1:1: the file is a number"),
        (
            "entries: [nameless.json]",
            "nameless.json:2:3: an element is an object where an entry with sys.id is expected"
        ),
        ("audiences: {}", "a list is expected"), ("- a", "a mapping of keys to values is expected"), ("a: [", "1"),
    ])
    func `a mistake is named with its place`(text: String, message: String) {
        let files = ["bad.json": "[\n{\n", "number.json": "7", "nameless.json": "[\n  {\"fields\":{}}]"]
        let errors = document(text, files: files).errors.map(\.description)
        #expect(errors.contains { $0.contains(message) }, "\(errors)")
    }

    @Test func `every mistake is reported in one run`() {
        let errors = document("client-id: \"\"\naudiences: [{}, {id: b, wen: []}]\nlimits: {events: x}").errors
        #expect(errors.count == 4)
    }

    @Test func `paths of entries are relative to the folder of the document`() {
        var asked: [String] = []
        let text = Array("entries: [a.json, /b.json, sub/c.json]".utf8)
        _ = OptimizationDocument(text, name: "x", folder: "/etc/apns/") { path in
            asked.append(path)
            return Array("[]".utf8)
        }
        #expect(asked == ["/etc/apns/a.json", "/b.json", "/etc/apns/sub/c.json"])
    }

    @Test func `an experience that is not complete is left out with a note`() {
        let document = document(
            "entries: [e.json]",
            files: [
                "e.json": text([
                    entry("x", type: "nt_experience", ["nt_name": "No id"]), experience("exp"), experience("exp"),
                    entry("y", type: "nt_experience", ["nt_experience_id": "exp", "nt_config": [:]]),
                ])
            ])
        #expect(document.errors.isEmpty && document.configuration.experiences.map(\.id) == ["exp"])
        #expect(document.notes.count == 2)
        #expect(document.notes[0].contains("nt_experience_id or nt_config is missing"))
        #expect(document.notes[1].contains("another experience has the id \"exp\""))
    }

    @Test func `aliases cannot fill the memory`() {
        var text = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
        for (name, last) in zip("bcdefghi", "abcdefgh") {
            text +=
                "\(name): &\(name) [*\(last), *\(last), *\(last), *\(last), *\(last), *\(last), *\(last), *\(last)]\n"
        }
        let document = document(text + "locations: {x: *i}\nfaults: *i")
        #expect(!document.errors.isEmpty)
    }

    @Test func `each kind of mapping has keys, and none twice`() {
        for place in OptimizationKey.Place.allCases {
            let names = OptimizationKey.names(in: place)
            #expect(!names.isEmpty && names.count == Set(names).count)
        }
    }
}
