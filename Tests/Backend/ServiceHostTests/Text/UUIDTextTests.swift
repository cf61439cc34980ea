import APNSModel
import ServiceHost
import Testing

struct UUIDTextTests {
    @Test func `a made id is a UUID of version 4, and another each time`() {
        var generator = SeededGenerator(seed: 1)
        var ids: Set<String> = []
        for _ in 0..<1_000 {
            let id = UUIDText.make(using: &generator)
            #expect(UUIDText.isValid(id) && id == id.lowercased())
            let characters = Array(id)
            #expect(characters[14] == "4" && "89ab".contains(characters[19]), "\(id)")
            ids.insert(id)
        }
        #expect(ids.count == 1_000)
    }

    @Test func `only 36 characters of the usual form are a UUID`() {
        #expect(UUIDText.isValid("0d9c1f34-5B7E-4c1a-9a1e-77c1f0a2b3d4"))
        for text in [
            "", "0d9c1f345b7e4c1a9a1e77c1f0a2b3d4", "0d9c1f34-5b7e-4c1a-9a1e-77c1f0a2b3d",
            "0d9c1f34-5b7e-4c1a-9a1e77c1f0a2b3d4-",
            "0d9c1f34-5b7e-4c1a-9a1e-77c1f0a2b3dg", "{d9c1f34-5b7e-4c1a-9a1e-77c1f0a2b3d}",
        ] {
            #expect(!UUIDText.isValid(text), "\(text)")
        }
    }
}
