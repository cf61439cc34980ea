import Foundation
import SystemFiles
import Testing

struct FileReadersTests {
    let place: TemporaryPlace
    private let own = FileReaders(group: getegid())

    init() throws { place = try TemporaryPlace() }

    @Test func `a group has a name or a number`() {
        #expect(FileReaders("0") == FileReaders(group: 0))
        #expect(FileReaders("65532")?.group == 65532)
        // Each system has a group with the number 0: root, or wheel.
        #expect(FileReaders("root") == FileReaders(group: 0) || FileReaders("wheel") == FileReaders(group: 0))
        for name in ["", "-1", "4294967295", "no such group"] { #expect(FileReaders(name) == nil, "\(name)") }
    }

    @Test func `a group may read a private file, and list its folder`() throws {
        try PrivateFolder.makeShared(place.file("private"))
        try PrivateFolder.write([1], to: place.file("private/key"), mode: 0o600)
        try own.allowUsing(folder: place.file("private"))
        try own.allowReading(place.file("private/key"))
        #expect(try place.mode(of: "private") == 0o750)
        #expect(try place.mode(of: "private/key") == 0o640)
        let facts = try FileManager.default.attributesOfItem(atPath: place.file("private/key"))
        #expect(facts[.groupOwnerAccountID] as? UInt32 == own.group)
    }

    @Test func `what the group may already read stays as it is`() throws {
        try PrivateFolder.write([], to: place.file("open"), mode: 0o604)
        try own.allowReading(place.file("open"))
        #expect(try place.mode(of: "open") == 0o604)
    }

    @Test func `a missing file is a failure`() {
        let failure = #expect(throws: PrivateFolder.Failure.self) { try own.allowReading(place.file("none")) }
        #expect(failure?.isMissing == true)
    }
}
