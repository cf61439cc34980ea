import SystemFiles
import Testing

struct DatabaseFileTests {
    let place: TemporaryPlace

    init() throws { place = try TemporaryPlace() }

    @Test func `the check of a file that is not there yet changes nothing`() throws {
        try DatabaseFile.check(place.file("new.sqlite"))
        #expect(PrivateFolder.names(in: place.path) == [])
        try DatabaseFile.prepare(place.file("new.sqlite"))
        #expect(try place.mode(of: "new.sqlite") == 0o600)
        try DatabaseFile.check(place.file("new.sqlite"))
    }

    @Test func `what cannot be prepared does not pass the check`() throws {
        for path in [place.path, place.file("none/new.sqlite")] {
            let checked = #expect(throws: DatabaseFile.Failure.self) { try DatabaseFile.check(path) }
            #expect(throws: DatabaseFile.Failure.self) { try DatabaseFile.prepare(path) }
            #expect(checked?.description.hasPrefix("\(path) cannot be the store: ") == true)
        }
        let missing = #expect(throws: DatabaseFile.Failure.self) {
            try DatabaseFile.check(place.file("none/new.sqlite"))
        }
        #expect(missing?.description.hasSuffix("; create its folder first") == true)
    }
}
