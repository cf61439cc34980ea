import OptimizationSimulator
import PushDispatch
import ServiceHost
import Testing

/// Entries.
struct DeliveryTests {
    private func ids(_ answer: Answer) -> [String] {
        (answer["items"].array ?? []).compactMap { $0["sys"]["id"].string }
    }

    private func included(_ answer: Answer) -> [String] {
        (answer["includes"]["Entry"].array ?? []).compactMap { $0["sys"]["id"].string }
    }

    @Test func `entries come in pages until the total`() {
        let entries = (0..<250).map { entry("e\($0)", ["n": .integer(Int64($0))]) }
        var world = world("", entries: text(.array(entries)))
        let first = world.entries()
        #expect(
            first["sys"] == ["type": "Array"] && first["total"] == 250 && first["skip"] == 0 && first["limit"] == 100)
        #expect(ids(first).count == 100 && ids(first).first == "e0")
        #expect(ids(world.entries("skip=200&limit=100")).count == 50)
        #expect(ids(world.entries("skip=300")) == [] && world.entries("limit=0")["total"] == 250)
        #expect(world.entries("limit=1001").status == 400 && world.entries("limit=-1").status == 400)
        #expect(world.entries("skip=99999999999999999999").status == 400)
    }

    @Test func `entries are filtered by content type, id and fields`() {
        var world = world(
            "",
            entries: text([
                entry("a", type: "page", ["slug": "home", "tags": ["x", "y"]]),
                entry("b", type: "page", ["slug": "about"]),
                entry("c", type: "hero", ["slug": "home"]),
            ]))
        #expect(ids(world.entries("content_type=page")) == ["a", "b"])
        #expect(ids(world.entries("sys.id=c")) == ["c"] && ids(world.entries("sys.id[in]=c,a")) == ["a", "c"])
        #expect(ids(world.entries("content_type=page&fields.slug=home")) == ["a"])
        #expect(ids(world.entries("fields.slug%5Bin%5D=home,other")) == ["a", "c"])
        #expect(ids(world.entries("fields.tags=y")) == ["a"])
        let unknown = world.entries("order=sys.createdAt")
        #expect(unknown.status == 400 && unknown["sys"]["id"] == "InvalidQuery")
    }

    @Test func `linked entries come along, level by level`() {
        var world = world(
            "",
            entries: text([
                entry("a", ["next": link("b"), "picture": link("p", "Asset")]), entry("b", ["next": link("c")]),
                entry("c", ["next": link("d")]), entry("d"),
                ["sys": ["id": "p", "type": "Asset"], "fields": ["title": "A picture"]],
            ]))
        #expect(included(world.entries("sys.id=a")) == ["b"], "one level by default")
        #expect(included(world.entries("sys.id=a&include=0")) == [])
        let all = world.entries("sys.id=a&include=10")
        #expect(included(all) == ["b", "c", "d"] && all["includes"]["Asset"][0]["sys"]["id"] == "p")
        #expect(world.entries("include=11").status == 400)
        #expect(included(world.entries("sys.id[in]=a,b")) == ["c"], "what is on the page is not included again")
    }

    @Test func `links in a circle end`() {
        var world = world(
            "", entries: text([entry("a", ["next": link("b")]), entry("b", ["next": link("a"), "me": link("b")])]))
        #expect(included(world.entries("sys.id=a&include=10")) == ["b"])
    }

    @Test func `a link that leads nowhere stays and is reported`() {
        var world = world("", entries: text([entry("a", ["next": link("gone")])]))
        let answer = world.entries()
        #expect(answer["items"][0]["fields"]["next"] == link("gone"))
        #expect(
            answer["errors"] == [
                [
                    "sys": ["id": "notResolvable", "type": "error"],
                    "details": ["type": "Link", "linkType": "Entry", "id": "gone"],
                ]
            ])
    }

    @Test func `entries that stand in place of links become entries, and links again`() {
        var world = world("", entries: text(entry("hero", ["nt_experiences": [experience("exp", audience: "gold")]])))
        let answer = world.entries("sys.id=hero&include=10")
        #expect(answer["items"][0]["fields"]["nt_experiences"] == [link("entry-exp")])
        #expect(included(answer) == ["entry-exp", "entry-gold"])
        #expect(world.service.configuration.experiences[0].audience == .id("gold"))
    }

    @Test func `a file may be a delivery reply`() {
        let reply: JSONValue = [
            "sys": ["type": "Array"], "total": 1, "items": [entry("a", ["next": link("b")])],
            "includes": ["Entry": [entry("b")], "Asset": [["sys": ["id": "p", "type": "Asset"], "fields": [:]]]],
        ]
        var world = world("", entries: text(reply))
        #expect(ids(world.entries()) == ["a", "b"] && included(world.entries("sys.id=a")) == ["b"])
    }

    @Test func `fields by locale are given for one locale, with the default where one lacks`() {
        var world = world(
            "locales: [en-US, de]",
            entries: text([
                entry("a", ["title": ["en-US": "Hello", "de": "Hallo"], "only": ["en-US": "English"]]),
                entry("b", ["title": "the same"]),
            ]))
        let german = world.entries("locale=de")["items"]
        #expect(german[0]["fields"] == ["title": "Hallo", "only": "English"] && german[0]["sys"]["locale"] == "de")
        #expect(german[1]["fields"] == ["title": "the same"])
        #expect(world.entries()["items"][0]["fields"]["title"] == "Hello")
        let all = world.entries("locale=*")["items"]
        #expect(all[0]["fields"]["title"] == ["en-US": "Hello", "de": "Hallo"] && all[0]["sys"]["locale"] == .null)
        #expect(all[1]["fields"]["title"] == ["en-US": "the same"])
        let unknown = world.entries("locale=fr")
        #expect(unknown.status == 400 && unknown["sys"]["id"] == "BadRequest")
    }

    @Test func `one entry comes by its id`() {
        var world = world("", entries: text([entry("a", ["title": "Hello"])]))
        #expect(world.entries("", "a")["fields"]["title"] == "Hello")
        let missing = world.entries("", "b")
        #expect(missing.status == 404 && missing["sys"] == ["type": "Error", "id": "NotFound"])
        #expect(missing["requestId"].string?.isEmpty == false && missing["message"].string?.isEmpty == false)
    }

    @Test func `token, space and environment have to be right`() {
        var world = world("", entries: text([entry("a")]))
        let wrong = world.entries(token: "other")
        #expect(wrong.status == 401 && wrong["sys"]["id"] == "AccessTokenInvalid")
        #expect(world.call("GET", "/spaces/space-1/entries", query: "access_token=token-1").status == 200)
        #expect(world.call("GET", "/spaces/space-1/entries").status == 401)
        let bearer = ["authorization": "Bearer token-1"]
        #expect(world.call("GET", "/spaces/other/entries", headers: bearer)["sys"]["id"] == "NotFound")
        #expect(world.call("GET", "/spaces/space-1/environments/dev/entries", headers: bearer).status == 404)
        #expect(world.call("POST", "/spaces/space-1/entries", headers: bearer).status == 405)
        #expect(!wrong.text.contains("token-1"), "no message has the token")
    }

    @Test func `a reply that is known is not sent again`() {
        var world = world("", entries: text([entry("a")]))
        let first = world.entries()
        let tag = first.response.headers["etag"] ?? ""
        #expect(tag.count == 18 && tag == world.entries().response.headers["etag"])
        func again(_ header: String) -> Answer {
            world.call(
                "GET", "/spaces/space-1/entries", headers: ["authorization": "Bearer token-1", "if-none-match": header])
        }
        #expect(again(tag).status == 304 && again(tag).response.body.isEmpty)
        #expect(again("\"x\", W/\(tag)").status == 304 && again("*").status == 304 && again("\"x\"").status == 200)
        #expect(world.entries("limit=0").response.headers["etag"] != tag)
    }

    @Test func `requests for entries are limited by the second where the document says so`() {
        var world = world("limits: {entries-per-second: 2}", entries: text([entry("a")]))
        #expect(world.entries().status == 200 && world.entries().status == 200)
        let refused = world.entries()
        #expect(refused.status == 429 && refused["sys"]["id"] == "RateLimitExceeded")
        #expect(refused.response.headers["x-contentful-ratelimit-reset"] == "1")
        world.advance("1s")
        #expect(world.entries().status == 200)
    }

    @Test func `a reply of more than 7 MB is refused with what to do`() {
        let long = JSONValue.string(String(repeating: "x", count: 100_000))
        let entries = (0..<100).map { entry("e\($0)", ["text": long, "next": link("e\(($0 + 1) % 100)")]) }
        var world = world("", entries: text(.array(entries)))
        let refused = world.entries()
        #expect(refused.status == 400 && refused["message"].string?.contains("ask for fewer entries") == true)
        #expect(world.entries("limit=10&include=0").status == 200)
        #expect(world.entries("limit=1&include=10").status == 200)
    }
}
