import http.server

http.server.test(http.server.SimpleHTTPRequestHandler, port=8080)
